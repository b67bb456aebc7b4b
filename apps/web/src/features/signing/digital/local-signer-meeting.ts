import { amongOthers, commitmentTo } from '@lavra/api';
import { closeSession, findLocalSigners, greet, LocalSignerError, prove, waitFor } from './local-signer-client.ts';
import { codeOf, forgetKey, knownKey, newNonce, rememberKey } from './local-signer-key.ts';

const MEETING_MS = 8_000;

/** A program that has proved its key. */
export interface Met {
  /** Its session's address. */
  readonly session: string;
  readonly key: string;
  /** Its window shows it too. */
  readonly code: string;
}

export interface Comparison {
  /** Which of the codes the program's window shows; null: none of them. */
  compare(codes: readonly string[]): Promise<string | null>;
  /** Whether the known key is given up, because the person said so. */
  forget: boolean;
}

/**
 * Finds this person's own LAVRA_SIGNER among those that answer: the one with the key this browser knows or, at the first use, the one whose code the
 * person sees in its window. Nothing of the process is handed over before.
 * @throws LocalSignerError (ABSENT, DENIED, OUTDATED, OTHER_USER, KEY_CHANGED, CODE_OTHER, or why it refused)
 */
export async function meetLocalSigner({ compare, forget }: Comparison, signal: AbortSignal): Promise<Met> {
  if (forget) forgetKey();
  const ports = await findLocalSigners(signal);
  const known = knownKey();
  // A program that says nothing keeps nobody from the other one.
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MEETING_MS)]);
  const tried = await Promise.allSettled(ports.map((port) => meet(port, known, limit)));
  signal.throwIfAborted();
  const met = tried.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
  const reasons = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const refusal =
    reasons.find((reason) => reason instanceof LocalSignerError) ?? (reasons.length > 0 ? new LocalSignerError('GONE') : null);
  try {
    if (met.length === 0) throw refusal ?? new LocalSignerError(known === null ? 'CODE_OTHER' : 'KEY_CHANGED');
    const mine = known === null ? await compared(met, compare, signal) : (met[0] as Met);
    rememberKey(mine.key);
    for (const { session } of met) if (session !== mine.session) closeSession(session);
    return mine;
  } catch (error) {
    for (const { session } of met) closeSession(session);
    throw error;
  }
}

/** Null: another key than the known one, or one that it cannot prove. */
async function meet(port: number, known: string | null, signal: AbortSignal): Promise<Met | null> {
  const pageNonce = newNonce();
  const { session, greeted } = await greet(port, await commitmentTo(pageNonce), signal);
  const code =
    known === null || known === greeted.key
      ? await codeOf(port, pageNonce, greeted, await prove(session, pageNonce, known === null, signal))
      : null;
  if (code !== null) return { session, key: greeted.key, code };
  closeSession(session);
  return null;
}

async function compared(met: readonly Met[], compare: Comparison['compare'], signal: AbortSignal): Promise<Met> {
  const watching = new AbortController();
  const watched = AbortSignal.any([signal, watching.signal]);
  try {
    // Only its window can end a session now: a "no" there ends the question here.
    const refused = Promise.allSettled(met.map(({ session }) => waitFor(session, 'certificate', watched))).then((ends) => {
      throw (ends[0] as PromiseRejectedResult).reason ?? new LocalSignerError('GONE');
    });
    const code = await Promise.race([compare(amongOthers(met.map((one) => one.code))), refused]);
    const mine = met.find((one) => one.code === code);
    if (!mine) throw new LocalSignerError('CODE_OTHER');
    return mine;
  } finally {
    watching.abort();
  }
}
