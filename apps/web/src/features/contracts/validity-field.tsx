import { type Control, useController } from 'react-hook-form';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import type { ContractValues } from './contract-values.ts';

/** Contracts of the past can be kept too. */
const FIRST_DAY = '2000-01-02T00:00:00.000Z';

/** Day and time until which a contract is good. */
export function ValidityField({ control, label, hint }: { control: Control<ContractValues>; label: string; hint: string }) {
  const { field, fieldState } = useController({ control, name: 'validity' });
  return (
    <fieldset className="contract-validity">
      <legend>{label}</legend>
      <DateTimeField label={label} value={field.value} min={FIRST_DAY} onChange={field.onChange} error={fieldState.error?.message} />
      <p className="hint">{hint}</p>
    </fieldset>
  );
}
