import type { LangKey } from '@lavra/api';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAccount } from '../../../lib/account.ts';
import { LocaleOptions } from '../../../ui/locale-options.tsx';
import { Field } from '../../../ui/field.tsx';

/** In which language the people of a process are written to, their pages open, and its papers are. */
export function LanguageChoice({ value, onChange }: { value: LangKey | undefined; onChange(value: LangKey): void }) {
  const { t } = useTranslation();
  const own = useAccount().data?.langKey ?? 'pt-br';
  return (
    <Field label={t('prepare.language')} hint={t('prepare.languageHint')}>
      {({ id, describedBy }) => (
        <select id={id} aria-describedby={describedBy} value={value ?? own} onChange={(event) => onChange(event.target.value as LangKey)}>
          <LocaleOptions />
        </select>
      )}
    </Field>
  );
}
