import type { Ctx } from '../../../context.ts';
import { setFields } from '../processes.store.ts';

/** Notes the form fields that a document's preparation made; call inside its transaction. */
export function recordFields(tx: Ctx, documentId: string, fields: Parameters<typeof setFields>[2]): Promise<void> {
  return setFields(tx, documentId, fields);
}
