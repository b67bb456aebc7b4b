import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';

interface CodeProps {
  codes: readonly string[];
  /** Null: the window shows none of them, or there is no window. */
  onAnswer(code: string | null): void;
}

/** First use on this computer: which of these codes the program's window shows. The answer cannot be given without looking there. */
export function LocalSignerCode({ codes, onAnswer }: CodeProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const top = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone.
  useEffect(() => top.current?.focus(), []);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (chosen !== null) onAnswer(chosen);
  }
  return (
    <form onSubmit={submit} noValidate>
      <p ref={top} tabIndex={-1}>
        {t('digital.local.code.why')}
      </p>
      <fieldset aria-describedby={tried && chosen === null ? 'code-required' : undefined}>
        <legend>{t('digital.local.code.which')}</legend>
        {codes.map((code) => (
          <label key={code} className="radio">
            <input type="radio" name="code" checked={chosen === code} onChange={() => setChosen(code)} />
            <span className="digits">{code}</span>
          </label>
        ))}
      </fieldset>
      {tried && chosen === null && (
        <p id="code-required" className="error" role="alert">
          {t('digital.local.code.required')}
        </p>
      )}
      <div className="actions actions-end">
        <button type="button" onClick={() => onAnswer(null)}>
          {t('digital.local.code.none')}
        </button>
        <button type="submit" className="primary">
          {t('digital.local.code.same')}
        </button>
      </div>
    </form>
  );
}
