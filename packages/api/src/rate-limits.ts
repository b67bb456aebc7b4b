/** How often something may be tried in a window of time, over all nodes. */
export interface RateLimit {
  /** Whom it counts. An address of IPv6 counts by its network. */
  readonly by: 'address' | 'account' | 'e-mail' | 'account and address' | 'account and device' | 'device' | 'key' | 'signer' | 'document';
  readonly most: number;
  readonly seconds: number;
  /**
   * `door`: counted before the call does anything, and after the request fits its schema. `later`: by the use case, which has
   * to look somebody up first; what nobody is leaves no counter.
   */
  readonly at: 'door' | 'later';
  /** True where it guards accounts: the counter outlives a crash of the database. */
  readonly guards?: true;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every limit of the product by its name; the calls name theirs. */
export const rateLimits = {
  register: { by: 'address', most: 20, seconds: HOUR, at: 'door', guards: true },
  'register-account': { by: 'e-mail', most: 5, seconds: HOUR, at: 'later', guards: true },
  activate: { by: 'address', most: 60, seconds: 15 * MINUTE, at: 'door', guards: true },
  'activate-key': { by: 'key', most: 10, seconds: 15 * MINUTE, at: 'later', guards: true },
  reset: { by: 'address', most: 20, seconds: HOUR, at: 'door', guards: true },
  'reset-account': { by: 'e-mail', most: 5, seconds: HOUR, at: 'later', guards: true },
  'reset-finish': { by: 'address', most: 30, seconds: 15 * MINUTE, at: 'door', guards: true },
  'change-password': { by: 'account', most: 10, seconds: 15 * MINUTE, at: 'door', guards: true },
  // Mails to somebody who cannot keep an administrator from asking.
  'resend-activation': { by: 'e-mail', most: 5, seconds: HOUR, at: 'later', guards: true },
  'change-email': { by: 'account', most: 10, seconds: HOUR, at: 'later', guards: true },
  // Failures: the last one allowed shuts the door for as long.
  login: { by: 'account and address', most: 5, seconds: 15 * MINUTE, at: 'later', guards: true },
  'login-device': { by: 'account and device', most: 5, seconds: 15 * MINUTE, at: 'later', guards: true },
  'login-address': { by: 'address', most: 50, seconds: 15 * MINUTE, at: 'later', guards: true },
  'login-account': { by: 'e-mail', most: 50, seconds: 15 * MINUTE, at: 'later', guards: true },
  // Only who knows the password comes this far: a program in a loop fills our tables no more, and shuts nobody else out.
  sessions: { by: 'account', most: 100, seconds: 15 * MINUTE, at: 'later' },
  // A sign-in at a provider is two of them.
  social: { by: 'address', most: 120, seconds: 15 * MINUTE, at: 'door', guards: true },
  // Six digits are guessed in a million tries, and only who knows the password may try. A device that signed in before has a
  // door of its own, which nobody else can shut.
  'second-factor': { by: 'account', most: 10, seconds: 15 * MINUTE, at: 'later', guards: true },
  'second-factor-day': { by: 'account', most: 50, seconds: DAY, at: 'later', guards: true },
  'second-factor-device': { by: 'account and device', most: 10, seconds: 15 * MINUTE, at: 'later', guards: true },
  'second-factor-proof': { by: 'account', most: 60, seconds: 15 * MINUTE, at: 'door', guards: true },
  'second-step': { by: 'address', most: 200, seconds: 15 * MINUTE, at: 'door' },
  passkey: { by: 'address', most: 200, seconds: 15 * MINUTE, at: 'door' },
  refresh: { by: 'device', most: 300, seconds: 15 * MINUTE, at: 'later' },
  // Each address counts: their mails go to people who did not ask for them.
  // A whole account is read for it.
  'personal-data': { by: 'account', most: 30, seconds: HOUR, at: 'door' },
  'company-invitations': { by: 'account', most: 200, seconds: DAY, at: 'later' },
  'company-invitation': { by: 'address', most: 60, seconds: 15 * MINUTE, at: 'door' },
  'company-logo': { by: 'account', most: 30, seconds: 15 * MINUTE, at: 'door' },
  // However small: a file costs an entry in the storage and in the inventory.
  upload: { by: 'account', most: 10_000, seconds: DAY, at: 'later' },
  requisition: { by: 'address', most: 600, seconds: 5 * MINUTE, at: 'door' },
  // A signer tries a few times; an address may be that of a whole company.
  sign: { by: 'signer', most: 20, seconds: 15 * MINUTE, at: 'later' },
  // A signer has one CPF, and may mistype it; who holds a link does not learn it by asking.
  'signer-cpf': { by: 'signer', most: 10, seconds: HOUR, at: 'later' },
  // Each waits in the database for ten minutes, with a picture in it.
  'drawing-signer': { by: 'signer', most: 20, seconds: HOUR, at: 'later' },
  'drawing-address': { by: 'address', most: 120, seconds: 15 * MINUTE, at: 'door' },
  'sign-address': { by: 'address', most: 300, seconds: 15 * MINUTE, at: 'later' },
  // Each mails somebody whom the sender named.
  'correct-signer': { by: 'account', most: 20, seconds: HOUR, at: 'door' },
  // Six digits and five tries for each: fifty guesses a day, and as many mails as a person needs.
  'link-code': { by: 'signer', most: 10, seconds: DAY, at: 'later' },
  'link-code-address': { by: 'address', most: 60, seconds: 15 * MINUTE, at: 'door' },
  'link-code-tries': { by: 'address', most: 100, seconds: 15 * MINUTE, at: 'door' },
  // Providers tell whether somebody has a certificate, and ring their telephone. Guessed ids are counted as well.
  'psc-address': { by: 'address', most: 120, seconds: 15 * MINUTE, at: 'door' },
  'psc-signer': { by: 'signer', most: 30, seconds: 15 * MINUTE, at: 'later' },
  // A signer has one CPF, and may mistype it; each is counted once.
  'psc-signer-cpfs': { by: 'signer', most: 5, seconds: DAY, at: 'later' },
  'psc-callback': { by: 'address', most: 120, seconds: 15 * MINUTE, at: 'door' },
  'local-request': { by: 'signer', most: 60, seconds: 15 * MINUTE, at: 'later' },
  'local-request-address': { by: 'address', most: 600, seconds: 15 * MINUTE, at: 'later' },
  // The e-mail that opens a verification is a weak secret.
  verify: { by: 'address', most: 60, seconds: 10 * MINUTE, at: 'door' },
  'verify-document': { by: 'document', most: 60, seconds: 10 * MINUTE, at: 'later' },
  validation: { by: 'address', most: 120, seconds: 10 * MINUTE, at: 'door' },
  // A list costs a worker some seconds, a fetch somebody else's line.
  'trust-list': { by: 'account', most: 30, seconds: HOUR, at: 'door' },
  'test-mail': { by: 'account', most: 10, seconds: 15 * MINUTE, at: 'door' },
  'storage-check': { by: 'account', most: 30, seconds: 15 * MINUTE, at: 'door' },
  // Each is drawn and sealed with a timestamp; one that is kept costs nothing.
  'printable-copy': { by: 'document', most: 4, seconds: HOUR, at: 'later' },
  'revocation-list': { by: 'address', most: 240, seconds: 10 * MINUTE, at: 'door' },
} as const satisfies Record<string, RateLimit>;

export type LimitName = keyof typeof rateLimits;
