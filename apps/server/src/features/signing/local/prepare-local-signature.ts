import { createHash } from 'node:crypto';
import type { Body, prepareLocalSignature as call, Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import type { LoadedProcess } from '../../processes/signature-process.ts';
import { admitSigner } from '../admit-signer.ts';
import { ownerOf } from '../../processes/load-process.ts';
import { beginDigitalAttempt } from '../digital/begin-attempt.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { judgeSigningCertificate } from '../digital/judge-certificate.ts';
import { leaseMs, prepareAttempt, type PreparedDocument } from '../digital/prepare-attempt.ts';
import { signLocalRequest } from './local-signer-request.ts';

const CHAIN_MAX = 20;

export type PreparationInput = Omit<Body<typeof call>, 'signerId'>;

/**
 * A certificate whose key is on the signer's computer: judged, then all documents are prepared for it and held for minutes.
 * @throws DomainError certificate.*, signing.documentBusy, signing.underWay and what `beginDigitalAttempt` refuses
 */
export async function prepareLocalSignature(ctx: Ctx, actor: SignerLink, input: PreparationInput): Promise<Reply<typeof call>> {
  if (input.chain.length > CHAIN_MAX) throw new DomainError('request.invalid', { field: 'chain' });
  const expiresAt = new Date(ctx.clock.now().getTime() + leaseMs);
  const { processId: signatureProcessId, cpf, consentHash, appearance } = input;
  const admitted = await admitSigner(ctx, actor, { signatureProcessId, modality: 'digital' });
  const { attemptId, cpf: digits } = await beginDigitalAttempt(
    ctx,
    actor,
    admitted,
    { cpf, consentHash, appearance },
    { kind: 'local', psc: null, stateHash: null, browserHash: null, secret: null, expiresAt },
  );
  try {
    const certificate = new Uint8Array(Buffer.from(input.certificate, 'base64'));
    const chain = input.chain.map((one) => new Uint8Array(Buffer.from(one, 'base64')));
    const judged = await judgeSigningCertificate(ctx, { certificate, chain, cpf: digits, cnpj: admitted.signer.cnpj });
    const documents = await prepareAttempt(ctx, attemptId, judged);
    return {
      attemptId,
      expiresAt: expiresAt.toISOString(),
      secondsLeft: Math.round(leaseMs / 1000),
      documents: documents.map(({ documentId, name, prepared: { digest, signedAttributes, toBeSigned } }) => ({
        documentId,
        name,
        digest,
        signedAttributes,
        toBeSigned,
      })),
      request: input.source === 'LAVRA_SIGNER' ? await signingRequest(ctx, admitted.signatureProcess, certificate, documents) : null,
    };
  } catch (error) {
    const refusal = error instanceof DomainError ? error : new DomainError('server.unexpected');
    await failAttempt(ctx, attemptId, refusal.code, refusal.params);
    throw error;
  }
}

async function signingRequest(ctx: Ctx, signatureProcess: LoadedProcess, certificate: Uint8Array, prepared: readonly PreparedDocument[]) {
  const { title, documents } = signatureProcess;
  const owner = ownerOf(signatureProcess);
  return signLocalRequest(ctx, {
    kind: 'sign',
    title,
    creator: owner?.name ?? '',
    certificate: createHash('sha256').update(certificate).digest('hex'),
    documents: prepared.map(({ documentId, name, prepared: { digest, signedAttributes } }) => ({
      documentId,
      name,
      sha256: documents.find(({ id }) => id === documentId)?.hash ?? '',
      digest,
      signedAttributes,
    })),
  });
}
