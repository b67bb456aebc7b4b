import type { Control } from 'react-hook-form';
import { useTranslation } from '../lib/i18n.ts';
import { FormCheckbox, FormInstant, FormSelect, FormTextField } from '../ui/form-field.tsx';
import { maskDate } from '../ui/masks.ts';
import { type EntityField, isNumeric } from './entity-field.ts';
import { EntityReference } from './entity-reference.tsx';
import type { Values } from './entity-values.ts';
import type { EntityView } from './entity-view.ts';

/** The part of a form that takes a field of this kind. */
export function EntityInput({ view, field, control }: { view: EntityView; field: EntityField; control: Control<Values> }) {
  const { t } = useTranslation();
  const { name } = field;
  const hint = view.hints?.includes(name) ? t(`${view.words}.hint.${name}`) : undefined;
  const part = { control, name, label: t(`${view.words}.field.${name}`), hint };
  if (field.kind === 'flag') return <FormCheckbox {...part} />;
  if (field.kind === 'reference') return <EntityReference {...part} field={field} />;
  if (field.kind === 'instant') return <FormInstant {...part} />;
  if (field.kind === 'choice') {
    const choices = field.choices.map((value) => ({ value, text: t(`${view.words}.choice.${name}.${value}`) }));
    return <FormSelect {...part} options={[{ value: '', text: '' }, ...choices]} />;
  }
  if (field.kind === 'day')
    return <FormTextField {...part} inputMode="numeric" placeholder={t('dateTime.pattern')} mask={maskDate} autoComplete="off" />;
  return <FormTextField {...part} inputMode={isNumeric(field) ? 'numeric' : undefined} maxLength={field.maxLength} autoComplete="off" />;
}
