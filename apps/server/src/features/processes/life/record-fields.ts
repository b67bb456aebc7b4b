import type { Write } from '../../../db/at-once.ts';
import { fieldWrites, type PreparedFields } from '../processes.store.ts';

/** Notes the form fields that a preparation made, in its statement. */
export function recordedFields(prepared: readonly PreparedFields[]): Write[] {
  return fieldWrites(prepared);
}
