import type { Body, prepareLocalSignature } from '@lavra/api';

/** How the stamp looks: a picture of the signer, or the sender's model without one. */
export type Appearance = Body<typeof prepareLocalSignature>['appearance'];

/** Who acts on what. */
export interface Acting {
  processId: string;
  signerId: string;
}

/** What the signer decided before the certificate is looked for. */
export interface DigitalRequest extends Acting {
  /** Eleven digits. */
  cpf: string;
  consentHash: string;
  appearance: Appearance;
}
