import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { checkedSigningName, devicePlace, DomainError, parseCpf } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { findConfirmedCpf } from '../../accounts/find-confirmed-cpf.ts';
import { putBytes } from '../../../storage/blob-store.ts';
import { actAtOnce, type Beside } from '../../processes/life/act-on-process.ts';
import { linkIsOpen } from '../assert-link-open.ts';
import { admitSigner, assertOwnCpf, countAct } from '../admit-signer.ts';
import { consentFor, givenConsent } from '../consent.ts';
import { attemptWrites, evidenceWrites } from '../signing.store.ts';
import { signElectronicJob } from './sign-electronic.job.ts';
import { certifiedPerson, issueForAttempt } from './single-use-signer.ts';
import { readSignatureImage } from '../../../paper/signature-image.ts';

export interface ElectronicSignatureInput {
  signatureProcessId: string;
  name: string;
  cpf: string;
  /** Null: the act says nothing of the consent. */
  consentHash: string | null;
  clientIp: string | null;
  latitude: number | null;
  longitude: number | null;
  accuracy: number | null;
  image: string;
  style: 'typed' | 'drawn' | 'uploaded';
}

/**
 * Takes the signer's act: checks it, writes the evidence down and queues the signing, in one statement.
 * A second click while the first is under way joins it.
 * @throws DomainError text.invisible, signer.*, process.notInProgress, evidence.*
 */
export async function initElectronicSignature(ctx: Ctx, actor: SignerLink, input: ElectronicSignatureInput): Promise<void> {
  const { ip, userAgent } = actor.from;
  const { read, signatureProcess, signer } = await admitSigner(ctx, actor, { ...input, modality: 'electronic' }, 'files');
  await countAct(ctx, actor);
  const name = checkedSigningName(input.name);
  const cpf = parseCpf(input.cpf);
  if (!cpf) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
  if (ip === '') throw new DomainError('evidence.ipMissing');
  const image = await readSignatureImage(ctx, input.image, ip);
  const blob = await putBytes(ctx.storage, image.bytes);
  assertOwnCpf(signer, cpf);
  const cpfConfirmed = await findConfirmedCpf(ctx, actor.signedInAs, cpf);
  const place = placeOf(input, signatureProcess.geolocation === 'required');
  const consent = givenConsent(consentFor(ctx, signer.langKey, signatureProcess.title, signatureProcess.modality), input.consentHash);
  const attemptId = randomUUID();
  const channel = actor.channel === 'confirmed' ? 'confirmed' : 'mailed';
  const act = { signerId: signer.id, name, cpf, ip, channel, ...place } as const;
  const evidence = evidenceWrites(ctx, {
    ...act,
    attemptId,
    cpfConfirmed,
    // A hint from the client: kept when it is what it says.
    clientIp: isIP(input.clientIp ?? '') === 0 ? null : input.clientIp,
    userAgent,
    image: { sha256: blob.sha256, contentType: image.type },
    style: input.style,
    consent,
  });
  const facts = {
    name,
    ip,
    link: actor.channel,
    consent: consent?.hash ?? null,
    image: blob.sha256,
    ...(cpfConfirmed && { cpfConfirmedBy: cpfConfirmed.by }),
  };
  const ofProcess = { signatureProcessId: signatureProcess.id };
  const isUnderWay = new Error('an attempt is open');
  const opened = attemptWrites(ctx, { id: attemptId, signerId: signer.id, ...ofProcess }, () => isUnderWay);
  const issued = await issueForAttempt(ctx, attemptId, certifiedPerson(signatureProcess, signer, name));
  const writes = [...linkIsOpen(ctx, actor), ...opened, ...evidence.writes, ...issued];
  const attempt = { ...act, id: attemptId, state: 'signing', cpfConfirmedBy: cpfConfirmed?.by ?? null, imageHash: blob.sha256 } as const;
  const sends: Beside['sends'] = (by, standing) =>
    by.jobs.written(
      signElectronicJob,
      { attemptId, ...ofProcess },
      { key: attemptId, turn: signatureProcess.ownerId, handed: { attempt, read: standing(read) } },
    );
  const beside = { blobs: evidence.blobs, writes, sends };
  await actAtOnce(ctx, read, { kind: 'consent', signerId: signer.id, facts }, beside).catch((error: unknown) => {
    if (error !== isUnderWay) throw error;
  });
}

/** Required or not; what is no place counts as missing. */
function placeOf(
  input: ElectronicSignatureInput,
  required: boolean,
): { latitude: number | null; longitude: number | null; accuracy: number | null } {
  const place = devicePlace(input);
  if (place) return place;
  if (required) throw new DomainError('evidence.geolocationRequired', { field: 'geolocation' });
  return { latitude: null, longitude: null, accuracy: null };
}
