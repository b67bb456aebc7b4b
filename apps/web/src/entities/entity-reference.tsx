import type { Control } from 'react-hook-form';
import { useTranslation } from '../lib/i18n.ts';
import { useCall } from '../lib/calls.ts';
import { errorText, retryOf } from '../shell/error-text.ts';
import { FormChecks, FormSelect } from '../ui/form-field.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import type { EntityField } from './entity-field.ts';
import type { Values } from './entity-values.ts';
import type { Item } from './use-saving.ts';

/** As many as one answer holds, in the list's own order turned round: what is chosen is mostly new. */
const MOST = 200;

interface Props {
  control: Control<Values>;
  name: string;
  label: string;
  hint?: string | undefined;
  field: Extract<EntityField, { kind: 'reference' }>;
}

/** One of another entity's records, or some of them. */
export function EntityReference({ field, ...part }: Props) {
  const { t } = useTranslation();
  const { of, by, fits, many } = field;
  const { data, error, refetch } = useCall(of.list, { query: { size: MOST, sort: `${of.sorts[0] ?? 'id'},desc` } });
  if (error) return <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />;
  if (!data) return <Loading rows={1} />;
  const records = (data.items as Item[]).filter((item) => fits?.(item) ?? true);
  const options = records.map((item) => ({ value: String(item.id), text: textOf(item[by]) }));
  if (many) return <FormChecks {...part} options={options} none={t('entity.nothingToChoose')} />;
  return <FormSelect {...part} options={[{ value: '', text: '' }, ...options]} />;
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? String((value as { name?: unknown }).name ?? '') : String(value ?? '');
}
