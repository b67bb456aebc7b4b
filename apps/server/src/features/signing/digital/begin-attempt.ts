import { randomUUID } from 'node:crypto';
import { assertMayAct, DomainError, parseCpf } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { putBytes } from '../../../storage/blob-store.ts';
import { holdNewestProcess } from '../../processes/life/act-on-process.ts';
import { endLapsedClaim } from '../cloud/end-lapsed-claim.ts';
import { assertLinkOpen } from '../assert-link-open.ts';
import { type Admitted, assertOwnCpf, countAct } from '../admit-signer.ts';
import { consentFor, givenConsent } from '../consent.ts';
import { readSignatureImage } from '../../../paper/signature-image.ts';
import { closeAttempt, insertEvidence } from '../signing.store.ts';
import { lockWaitingAttempt, type NewDigitalAttempt, openDigitalAttempt } from './digital.store.ts';

export interface DigitalAct {
  cpf: string;
  /** Null: the act says nothing of the consent. */
  consentHash: string | null;
  appearance: { style: 'typed' | 'drawn' | 'uploaded' | 'model'; image: string | null };
}

/**
 * Takes a signer's wish to sign with a certificate: checks it, writes down who asked from where, and opens an attempt that
 * waits for the key's holder. An older one that still waits gives way, and one whose program died before it had a token; one that is being signed does not.
 * @throws DomainError signer.*, process.notInProgress, process.otherModality, evidence.*, signing.underWay
 */
export async function beginDigitalAttempt(
  ctx: Ctx,
  actor: SignerLink,
  { signatureProcess, signer }: Admitted,
  act: DigitalAct,
  waiting: Pick<NewDigitalAttempt, 'kind' | 'psc' | 'stateHash' | 'browserHash' | 'secret' | 'expiresAt'>,
): Promise<{ attemptId: string; cpf: string }> {
  const { ip, userAgent } = actor.from;
  await countAct(ctx, actor);
  const cpf = parseCpf(act.cpf);
  if (!cpf) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
  if (ip === '') throw new DomainError('evidence.ipMissing');
  const { style } = act.appearance;
  const image = style === 'model' ? null : await readSignatureImage(ctx, act.appearance.image ?? '', ip);
  const blob = image && (await putBytes(ctx.storage, image.bytes));
  assertOwnCpf(signer, cpf);
  const { id: signatureProcessId, title, modality } = signatureProcess;
  const consent = givenConsent(consentFor(ctx, signer.langKey, title, modality), act.consentHash);
  return ctx.transaction(async (tx) => {
    // Nobody ends the process between this look and the attempt.
    assertMayAct((await holdNewestProcess(tx, signatureProcessId)).signatureProcess, signer.id, tx.clock.now());
    await assertLinkOpen(tx, actor);
    await endLapsedClaim(tx, signer.id);
    const older = await lockWaitingAttempt(tx, signer.id);
    if (older) await closeAttempt(tx, older, { state: 'expired', reason: 'signing.canceled' });
    const attemptId = randomUUID();
    const opened = await openDigitalAttempt(tx, { id: attemptId, signerId: signer.id, signatureProcessId, ...waiting });
    if (!opened) throw new DomainError('signing.underWay');
    await insertEvidence(tx, {
      signerId: signer.id,
      attemptId,
      name: signer.name,
      cpf,
      ip,
      clientIp: null,
      userAgent,
      channel: actor.channel === 'confirmed' ? 'confirmed' : 'mailed',
      latitude: null,
      longitude: null,
      accuracy: null,
      image: image && blob ? { sha256: blob.sha256, contentType: image.type } : null,
      style,
      consent,
    });
    return { attemptId, cpf };
  });
}
