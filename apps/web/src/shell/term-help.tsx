import { useTranslation } from '../lib/i18n.ts';

/** A word that people meet here for the first time; explained in the locales under `help.<name>`. */
export type Term = 'qualified' | 'advanced' | 'a1' | 'a3' | 'cloud';

/** What the words nearby mean, for who asks. */
export function TermHelp({ terms }: { terms: readonly Term[] }) {
  const { t } = useTranslation();
  return (
    <details className="term-help">
      <summary>{t('help.summary', { terms: terms.map((term) => t(`help.${term}`)).join(', ') })}</summary>
      <dl>
        {terms.map((term) => (
          <div key={term}>
            <dt>{t(`help.${term}`)}</dt>
            <dd>{t(`help.${term}Text`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
