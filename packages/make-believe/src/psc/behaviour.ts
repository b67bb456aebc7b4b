/** The seven providers of the specification. */
export const makeBelievePscs = ['BIRDID', 'NEOID', 'REMOTEID', 'SAFEID', 'VIDAAS', 'DSCLOUD', 'SYN'] as const;
export type MakeBelievePscId = (typeof makeBelievePscs)[number];

/**
 * How a make-believe provider talks. Hash encoding, number of hashes, push and self-registration are what is known of the true
 * ones; the ways of writing an answer are traps that have been reported of some provider or other, dealt out so that each is met.
 */
export interface PscQuirks {
  readonly hash: 'base64' | 'hex';
  readonly maxHashes: number;
  readonly push: boolean;
  readonly registers: boolean;
  readonly signature: 'base64' | 'base64url' | 'hex' | 'lines' | 'armour';
  readonly certificate: 'pem' | 'base64' | 'pem-chain';
  /** One certificate or signature: in an array, alone, or (signatures) as a bare string without its id. */
  readonly lists: 'array' | 'alone' | 'strings';
  /** Numbers as numbers, or as texts; a CPF that is a number loses its leading zeros; some do not name the holder. */
  readonly holder: 'text' | 'number' | 'unnamed';
  readonly expiresIn: 'number' | 'text';
  readonly yes: string | boolean;
  /** The whole answer once more inside a JSON string. */
  readonly wrapped: boolean;
}

const plain: PscQuirks = {
  hash: 'base64',
  maxHashes: 100,
  push: false,
  registers: false,
  signature: 'base64',
  certificate: 'pem',
  lists: 'array',
  holder: 'text',
  expiresIn: 'number',
  yes: 'S',
  wrapped: false,
};

export const quirks: Readonly<Record<MakeBelievePscId, PscQuirks>> = {
  BIRDID: { ...plain, hash: 'hex', certificate: 'pem-chain' },
  NEOID: { ...plain, maxHashes: 5, signature: 'base64url', certificate: 'base64' },
  REMOTEID: { ...plain, signature: 'hex', expiresIn: 'text' },
  SAFEID: { ...plain, signature: 'lines', lists: 'alone' },
  VIDAAS: { ...plain, maxHashes: 20, push: true, registers: true },
  DSCLOUD: { ...plain, signature: 'armour', holder: 'number', yes: true },
  SYN: { ...plain, lists: 'strings', holder: 'unnamed', wrapped: true },
};

export type PscCall =
  | 'user-discovery'
  | 'authorize'
  | 'token'
  | 'client_token'
  | 'certificate-discovery'
  | 'signature'
  | 'application'
  | 'poll';

/** Switches: what goes wrong from now on. */
export interface PscBehaviour {
  /** False: every connection is closed. */
  reachable: boolean;
  /** Before every answer. */
  delayMs: number;
  /** `asks`: the approval page waits for a button. The others need nobody. */
  person: 'asks' | 'approves' | 'refuses';
  /** `expired`: what was just granted is over when it is used. */
  codes: 'good' | 'expired';
  tokens: 'good' | 'expired';
  /** By call: 200 with an `error`, 200 with a failing `status`, 500, or something that is no JSON. */
  fails: Partial<Record<PscCall, 'error-200' | 'status-200' | 'server-error' | 'not-json' | 'too-many-requests'>>;
  hashes: 'all' | 'one-less' | 'one-more' | 'wrong-id';
  /** `other-key`: of the right length, by a key that is not the certificate's. */
  signatures: 'right' | 'other-key' | 'garbage';
  certificate: 'own' | 'other-cpf' | 'expired' | 'revoked' | 'not-icp-brasil' | 'none' | 'garbage';
  /** Who authorised, by the token's answer. */
  holder: 'own' | 'other';
  scope: 'as-asked' | 'identification-only';
}

export const normally = (): PscBehaviour => ({
  reachable: true,
  delayMs: 0,
  person: 'asks',
  codes: 'good',
  tokens: 'good',
  fails: {},
  hashes: 'all',
  signatures: 'right',
  certificate: 'own',
  holder: 'own',
  scope: 'as-asked',
});
