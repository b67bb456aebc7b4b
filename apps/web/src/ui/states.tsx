import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { Icon, PenStroke } from './icons.tsx';

/** A wait below it needs no words. */
const WORDS_AFTER_MS = 1000;

/** What is on its way: its place is kept at once (`rows` of a list, or a form), and after a second it is said that it takes longer. */
export function Loading({ rows = 3 }: { rows?: number }) {
  const { t } = useTranslation();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WORDS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading">
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className="skeleton" />
        ))}
      </div>
      <p className="loading-words" role="status">
        {isLong && (
          <>
            <span className="spinner" /> {t('shell.loading')}
          </>
        )}
      </p>
    </div>
  );
}

interface EmptyProps {
  text: string;
  /** There may be some, and none was found: the mark of a page that waits to be written would mislead. */
  searched?: boolean;
  children?: ReactNode;
}

/** Nothing there yet, or nothing found: one sentence, and the one thing to do about it. */
export function Empty({ text, searched = false, children }: EmptyProps) {
  return (
    <div className={searched ? 'empty empty-searched' : 'empty'}>
      {searched ? <Icon name="search" /> : <PenStroke />}
      <p>{text}</p>
      {children}
    </div>
  );
}

/** What could not be fetched, where it would stand; with `onRetry` it can be asked for again. */
export function Failed({ text, onRetry }: { text: string; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="notice notice-error failed" role="alert">
      <p>{text}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t('shell.retry')}
        </button>
      )}
    </div>
  );
}
