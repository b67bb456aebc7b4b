import type { Ctx } from '../../context.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { type Evidence, evidenceJson, listSignedEvidence } from './signing.store.ts';

export type { Evidence } from './signing.store.ts';

/** The evidence of who signed as SQL, for a statement that reads more of a process; `of`: what was read of each. */
export const evidenceParts = evidenceJson;

/** Who signed, in signing order, with the evidence of the act that counted. */
export async function listEvidenceOfProcess(ctx: Ctx, process: Pick<LoadedProcess, 'id' | 'signers'>) {
  return evidencesBySigner(process, await listSignedEvidence(ctx, process.id));
}

/** The same of what was read. */
export function evidencesBySigner({ signers }: Pick<LoadedProcess, 'signers'>, evidences: readonly Evidence[]) {
  return signers.flatMap((signer) => {
    const evidence = evidences.find((candidate) => candidate.signerId === signer.id);
    return evidence ? [{ signer, evidence }] : [];
  });
}
