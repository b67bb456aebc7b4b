import { auditKinds, auditOutcomes } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { maskDate } from '../../ui/masks.ts';
import type { AuditPlace } from './use-audit-place.ts';

/** Of whom, what, with which end and when. */
export function AuditFilter({ place, show }: { place: AuditPlace; show(change: Partial<AuditPlace>): void }) {
  const { t } = useTranslation();
  const kinds = auditKinds.map((value) => ({ value, text: t(`audit.kind.${value}`) })).toSorted((a, b) => a.text.localeCompare(b.text));
  const outcomes = auditOutcomes.map((value) => ({ value, text: t(`audit.outcome.${value}`) }));
  const day = (name: 'from' | 'to') => (
    <TextField
      label={t(`audit.${name}`)}
      inputMode="numeric"
      placeholder={t('dateTime.pattern')}
      autoComplete="off"
      value={place[name]}
      onChange={(text) => show({ [name]: maskDate(text) })}
    />
  );
  return (
    <search className="audit-filter">
      <TextField
        label={t('audit.search')}
        type="search"
        maxLength={200}
        autoComplete="off"
        value={place.query}
        onChange={(query) => show({ query })}
      />
      <Choice label={t('audit.kind')} value={place.kind} options={kinds} onChange={(kind) => show({ kind })} />
      <Choice label={t('audit.outcome')} value={place.outcome} options={outcomes} onChange={(outcome) => show({ outcome })} />
      {day('from')}
      {day('to')}
    </search>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange(value: string): void;
}) {
  const { t } = useTranslation();
  return (
    <Field label={label}>
      {({ id }) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('audit.all')}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
