import type { Ctx } from '../context.ts';
import type { Person, SignerLink, Visitor } from '../access/actor.ts';
import { countAttempt } from '../access/limits.store.ts';
import { isFenced } from '../db/writing-fence.ts';
import { loggerFor } from '../loggers.ts';
import { recordAudit } from './audit.store.ts';

const WINDOW_SECONDS = 900;

/**
 * Notes that somebody was given a file: the account, the holder of a signer's link, or of a ticket of the verification. The parts that a browser fetches one by
 * one, and the same file again within a quarter of an hour, are one download. While the data are being moved the line alone tells of it: who reads
 * is not kept from it.
 */
export async function recordDownload(
  ctx: Ctx,
  actor: Person | SignerLink | Visitor,
  given: { what: 'original' | 'signed' | 'page' | 'copy' | 'evidence' | 'verified'; subjectId: string; ticket?: string },
): Promise<void> {
  const { what, subjectId, ticket = '' } = given;
  const accountId = accountOf(actor);
  const who = accountId ?? (actor.kind === 'signerLink' ? actor.signerId : ticket);
  if ((await countAttempt(ctx, 'audit-download', `${who} ${what} ${subjectId}`, WINDOW_SECONDS)) > 1) return;
  const entry = { kind: 'download', outcome: 'success', reason: what } as const;
  await recordAudit(ctx, { ...entry, accountId, subjectId }).catch((error: unknown) => {
    if (!isFenced(error)) throw error;
    loggerFor(ctx.log, 'audit').info({ audit: { ...entry, account: accountId } }, 'audit');
  });
}

function accountOf(actor: Person | SignerLink | Visitor): string | null {
  if (actor.kind === 'person') return actor.userId;
  return actor.kind === 'signerLink' ? actor.signedInAs : null;
}
