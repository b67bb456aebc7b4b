import type { Ctx } from '../../context.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { listSignedEvidence } from './signing.store.ts';

/** Who signed, in signing order, with the evidence of the act that counted. */
export async function listEvidenceOfProcess(ctx: Ctx, { id, signers }: Pick<LoadedProcess, 'id' | 'signers'>) {
  const evidences = await listSignedEvidence(ctx, id);
  return signers.flatMap((signer) => {
    const evidence = evidences.find((candidate) => candidate.signerId === signer.id);
    return evidence ? [{ signer, evidence }] : [];
  });
}
