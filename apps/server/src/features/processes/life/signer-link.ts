import type { Ctx } from '../../../context.ts';

/** The signer's own page. The signer id in it is a capability. */
export function signerLink(ctx: Ctx, signatureProcessId: string, signerId: string): string {
  return `${ctx.publicUrl}/signer/${signatureProcessId}?user=${signerId}`;
}

/** The download page, for a signer by capability or for a signed-in participant. */
export function downloadLink(ctx: Ctx, signatureProcessId: string, signerId?: string): string {
  return `${ctx.publicUrl}/download/${signatureProcessId}${signerId ? `?user=${signerId}` : ''}`;
}
