import type { Ctx } from '../../context.ts';
import { loadProcess } from '../processes/load-process.ts';
import { listSignedEvidence } from './signing.store.ts';

/** Who signed, in signing order, with the evidence of the act that counted. */
export async function listEvidenceOfProcess(ctx: Ctx, signatureProcessId: string) {
  const [{ signers }, evidences] = await Promise.all([loadProcess(ctx, signatureProcessId), listSignedEvidence(ctx, signatureProcessId)]);
  return signers.flatMap((signer) => {
    const evidence = evidences.find((candidate) => candidate.signerId === signer.id);
    return evidence ? [{ signer, evidence }] : [];
  });
}
