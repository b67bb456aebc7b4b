import { useEffect, useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';

const KEY = 'lavra-enlarged';
const isTouched = () => window.matchMedia('(any-pointer: coarse)').matches;

/**
 * Says that two taps enlarge: to fingers, while print is too small to be read, and never again in this browser once somebody has
 * enlarged a page, in whichever way.
 */
export function TapsHint({ isReadable }: { isReadable: boolean }) {
  const { t } = useTranslation();
  const [isWanted, setIsWanted] = useState(() => isTouched() && localStorage.getItem(KEY) === null);
  /** A page that was readable from the start has taught nobody anything. */
  const [wasSmall, setWasSmall] = useState(false);
  const isShown = isWanted && !isReadable;
  useEffect(() => {
    if (isShown) setWasSmall(true);
    if (!wasSmall || !isReadable) return;
    localStorage.setItem(KEY, 'yes');
    setIsWanted(false);
  }, [isShown, isReadable, wasSmall]);
  if (!isShown) return null;
  // A screen reader takes taps for itself, and has the words of the page.
  return (
    <p className="viewer-hint" aria-hidden="true">
      {t('pdf.tapTwice')}
    </p>
  );
}
