import type { Ctx } from '../../../context.ts';
import { listSignedEvents } from '../processes.store.ts';

/** Who signed under another name than the invitation's, by signer. */
export async function listOtherNames(ctx: Ctx, signatureProcessId: string): Promise<Map<string, string>> {
  const events = await listSignedEvents(ctx, signatureProcessId);
  return new Map(
    events.flatMap(({ signerId, data }) => {
      const { name, invitedName } = data;
      return signerId !== null && typeof name === 'string' && typeof invitedName === 'string' ? [[signerId, name] as const] : [];
    }),
  );
}
