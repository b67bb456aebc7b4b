import type { Ctx } from '../context.ts';
import type { Actor } from '../access/actor.ts';
import { countAttempt } from '../access/limits.store.ts';
import { recordAudit } from './audit.store.ts';

const WINDOW_SECONDS = 900;

/**
 * Notes that somebody was given a file: the account, or the holder of a signer's link. The parts that a browser fetches one by
 * one, and the same file again within a quarter of an hour, are one download.
 */
export async function recordDownload(
  ctx: Ctx,
  actor: Actor | null,
  capability: string | undefined,
  what: 'original' | 'signed' | 'page' | 'evidence' | 'verified',
  subjectId: string,
): Promise<void> {
  const who = actor?.userId ?? capability ?? '';
  if ((await countAttempt(ctx, 'audit-download', `${who} ${what} ${subjectId}`, WINDOW_SECONDS)) > 1) return;
  await recordAudit(ctx, { kind: 'download', outcome: 'success', reason: what, accountId: actor?.userId ?? null, subjectId });
}
