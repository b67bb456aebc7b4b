import { generateEvidencePage, registerSignatureEvidence } from '@lavra/api';
import { callApi } from '../../lib/api-client.ts';
import { logInBrowser } from '../../lib/browser-log.ts';

/** Which of the two calls follows an electronic signature (section 4): the page of a finished process, else the evidence of the act. */
export function evidenceCall(finalized: boolean): typeof generateEvidencePage | typeof registerSignatureEvidence {
  return finalized ? generateEvidencePage : registerSignatureEvidence;
}

/**
 * Asks for the evidence after SIGNED. All of it was kept with the act and the report is made by itself: an answer changes nothing of it,
 * and a refusal (the report is still being sealed) is only logged.
 */
export async function produceEvidence(processId: string, signerId: string, finalized: boolean): Promise<void> {
  await callApi(evidenceCall(finalized), { body: { processId, signerId } }).catch((error: unknown) => logInBrowser('evidence', error));
}
