import type { Ctx } from '../../../context.ts';

/** A signer's own page. The key in it is a capability. */
export function signerLink(ctx: Ctx, signatureProcessId: string, key: string): string {
  return `${ctx.publicUrl}/signer/${signatureProcessId}?user=${key}`;
}

/** The download page, for a signer by capability or for a signed-in participant. */
export function downloadLink(ctx: Ctx, signatureProcessId: string, key?: string): string {
  return `${ctx.publicUrl}/download/${signatureProcessId}${key ? `?user=${key}` : ''}`;
}

/** The page of one process, for who sent it or was invited. */
export function processLink(ctx: Ctx, signatureProcessId: string): string {
  return `${ctx.publicUrl}/signature/process/${signatureProcessId}`;
}

/** The page of a draft, where its maker corrects it. */
export function draftLink(ctx: Ctx, signatureProcessId: string): string {
  return `${ctx.publicUrl}/entity/signature-process/${signatureProcessId}`;
}
