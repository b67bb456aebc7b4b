import type { AuditEvent } from '@lavra/api';
import type { Translate } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';

/** Why, or what was changed, in words; '' where nothing is to be said. */
export function reasonOf({ reason, details }: Pick<AuditEvent, 'reason' | 'details'>, t: Translate): string {
  // A word of the kind, or a code that has its sentence.
  const why = reason === null ? [] : [t([`audit.reason.${reason}`, reason])];
  return [...why, ...Object.entries(details ?? {}).flatMap(([field, change]) => changeOf(field, change, t))].join('; ');
}

function changeOf(field: string, change: unknown, t: Translate): string[] {
  if (typeof change !== 'object' || change === null || !('from' in change) || !('to' in change)) return [];
  const label = t([`users.field.${field}`, `contractType.field.${field}`, `contract.column.${field}`, `contract.field.${field}`, field]);
  return [`${label}: ${valueOf(change.from, t)} → ${valueOf(change.to, t)}`];
}

function valueOf(value: unknown, t: Translate): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t('audit.blankValue');
  if (Array.isArray(value)) return value.map((one) => t([`users.authority.${String(one)}`, String(one)])).join(', ');
  // A reference, by what it refers to.
  if (typeof value === 'object') return 'id' in value ? String(value.id) : JSON.stringify(value);
  if (typeof value === 'boolean') return t(value ? 'entity.yes' : 'entity.no');
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return formatDateTime(value);
  return t([`contract.choice.paymentType.${String(value)}`, String(value)]);
}
