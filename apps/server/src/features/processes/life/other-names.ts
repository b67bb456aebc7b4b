import type { Ctx } from '../../../context.ts';
import { listSignedEvents } from '../processes.store.ts';

/** Who signed under another name than the invitation's, by signer. */
export async function listOtherNames(ctx: Ctx, signatureProcessId: string): Promise<Map<string, string>> {
  const events = await listSignedEvents(ctx, signatureProcessId);
  return new Map(
    events.flatMap(({ signer_id, data }) => {
      const { name, invitedName } = data;
      return signer_id !== null && typeof name === 'string' && typeof invitedName === 'string' ? [[signer_id, name] as const] : [];
    }),
  );
}
