import type { createUrlAuthorize as call, Reply } from '@lavra/api';
import { DomainError, limits } from '@lavra/domain';
import { isPscId, type PendingAuthorization } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { beginDigitalAttempt, type DigitalAct } from '../digital/begin-attempt.ts';
import { assertMayAsk } from './assert-may-ask.ts';
import { callbackUrl } from './callback-url.ts';
import { cloudFault } from './cloud-fault.ts';
import { sealSecret } from './cloud-secret.ts';
import { keepPending } from './cloud.store.ts';
import { endAuthorization } from './end-authorization.ts';
import { sendPoll } from './poll-push-authorization.job.ts';
import { sha256Hex } from './state-hash.ts';

export interface CloudAct extends DigitalAct {
  signatureProcessId: string;
  psc: string;
  /** Whose certificate: the signer's own, or that of the company which they represent. */
  holder: 'person' | 'company';
  /** SHA-256 (hex) of a secret that the browser keeps until the callback, or what stands for one. */
  browser: { hash: string } | { secret: string };
}

/**
 * OAuth authorisation: asks the holder of a cloud certificate for their consent, by an address for a new window or on their telephone. The act is
 * checked and written down before the provider hears of it. A second one replaces the first.
 * @throws DomainError what `assertMayAsk` and `beginDigitalAttempt` refuse, signing.provider*, certificate.company: they represent none
 */
export async function beginCloudAuthorization(ctx: Ctx, actor: SignerLink, act: CloudAct): Promise<Reply<typeof call>> {
  const { cpf, admitted } = await assertMayAsk(ctx, actor, act);
  const { psc } = act;
  if (!isPscId(psc) || !ctx.psc.ids.includes(psc)) throw new DomainError('signing.providerUnknown', { field: 'userPsc' });
  const browserHash = 'hash' in act.browser ? act.browser.hash : sha256Hex(act.browser.secret);
  if (!/^[0-9a-f]{64}$/.test(browserHash)) throw new DomainError('request.invalid', { field: 'browser' });
  const identification = act.holder === 'company' ? admitted.signer.cnpj : cpf;
  if (identification === null) throw new DomainError('certificate.company', { field: 'holder' });
  const waitMs = limits.digitalAuthorizationTimeoutMs;
  const waiting = { psc, browserHash, expiresAt: new Date(ctx.clock.now().getTime() + waitMs) };
  const { attemptId } = await beginDigitalAttempt(ctx, actor, admitted, act, { kind: 'cloud', ...waiting, stateHash: null, secret: null });
  let pending: PendingAuthorization;
  try {
    const redirectUri = callbackUrl(ctx.publicUrl);
    const hashes = admitted.signatureProcess.documents.length;
    pending = await ctx.psc.beginAuthorization({ psc, identification, hashes, redirectUri, waitSeconds: waitMs / 1000 });
  } catch (error) {
    const { reason } = cloudFault(error);
    ctx.log.warn({ err: error, attempt: attemptId }, 'a certificate provider refused the authorisation request');
    await endAuthorization(ctx, attemptId, reason);
    throw new DomainError(reason);
  }
  await keepForLater(ctx, attemptId, pending);
  const { url, mode, expiresAt } = pending;
  const secondsLeft = Math.max(0, Math.round((Date.parse(expiresAt) - ctx.clock.now().getTime()) / 1000));
  return { url, mode, expiresAt, secondsLeft };
}

async function keepForLater(ctx: Ctx, attemptId: string, pending: PendingAuthorization): Promise<void> {
  await ctx.transaction(async (tx) => {
    const kept = await keepPending(tx, attemptId, {
      stateHash: sha256Hex(pending.state),
      secret: sealSecret(tx, { pending }),
      expiresAt: new Date(pending.expiresAt),
    });
    // Another tab asked, or this one gave up, while the provider answered.
    if (!kept) throw new DomainError('signing.canceled');
    if (pending.mode === 'push') await sendPoll(tx, attemptId, 0);
  });
}
