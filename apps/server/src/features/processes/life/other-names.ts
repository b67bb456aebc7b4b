import type { Ctx } from '../../../context.ts';
import type { ToldProcess } from '../load-process.ts';
import { listSignedEvents } from '../processes.store.ts';

/** Who signed under another name than the invitation's, by signer. */
export async function listOtherNames(ctx: Ctx, signatureProcessId: string): Promise<Map<string, string>> {
  return otherNamesIn(await listSignedEvents(ctx, signatureProcessId));
}

/** The same from the events of the signatures. */
export function otherNamesIn(signed: ToldProcess['signed']): Map<string, string> {
  return new Map(
    signed.flatMap(({ signerId, data }) => {
      const { name, invitedName } = data;
      return signerId !== null && typeof name === 'string' && typeof invitedName === 'string' ? [[signerId, name] as const] : [];
    }),
  );
}
