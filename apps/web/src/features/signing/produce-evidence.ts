import { type Body, generateEvidencePage, type initEletronicSignature, registerSignatureEvidence } from '@lavra/api';
import { callApi } from '../../lib/api-client.ts';
import { logInBrowser } from '../../lib/browser-log.ts';

/** Which of the two calls follows an electronic signature (section 4): the page of a finished process, else the evidence of the act. */
export function evidenceCall(finalized: boolean): typeof generateEvidencePage | typeof registerSignatureEvidence {
  return finalized ? generateEvidencePage : registerSignatureEvidence;
}

type Evidence = Body<typeof initEletronicSignature>['signatureEvidence'];

/** What this page's signers gave with their acts, until it is registered; after a reload there is nothing to register. */
const given = new Map<string, Evidence>();

export function keepEvidence(signerId: string, evidence: Evidence): void {
  given.set(signerId, evidence);
}

/**
 * Asks for the evidence after SIGNED. The act was kept with all that the server saw of it and the report is made by itself, so that a
 * refusal (the report is still being sealed) is only logged.
 */
export async function produceEvidence(processId: string, signerId: string, finalized: boolean): Promise<void> {
  const signatureEvidence = given.get(signerId);
  given.delete(signerId);
  const body = { processId, signerId, ...(signatureEvidence ? { signatureEvidence } : {}) };
  await callApi(evidenceCall(finalized), { body }).catch((error: unknown) => logInBrowser('evidence', error));
}
