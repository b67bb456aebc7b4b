import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LocalSignerFault, LocalSignerRequest, LocalSignerSession } from '@lavra/api';
import type { DigestName } from '@lavra/pades';
import type { KeyAtHand } from './keys/key.ts';
import type { ListedModule } from './keys/pkcs11.ts';
import type { TokenChoice } from './keys/token-key.ts';

/** `new`: never approved. `changed`: approved with another key. */
export type SiteStanding = 'approved' | 'new' | 'changed';

export interface DocumentToSign {
  readonly documentId: string;
  readonly digest: DigestName;
  readonly signedAttributes: Uint8Array;
}

/** What was found when the user allowed a look; null while looking. */
export interface Findings {
  readonly modules: readonly ListedModule[];
  readonly choices: readonly TokenChoice[];
}

/** What the site asks for, once it has said so. */
export interface Demand {
  readonly request: LocalSignerRequest;
  /** The server's, SPKI, base64: both requests are of it. */
  readonly serverKey: string;
  readonly standing: SiteStanding;
}

/** What page and program know of each other before anything is asked for. */
export interface Acquaintance {
  /** Of the page's nonce. */
  readonly commitment: string;
  /** Ours. */
  readonly nonce: string;
}

/** Where a session stands. The window shows one page for each but the first, which has none. */
export type Phase =
  | { readonly name: 'greeted' }
  /** The page has had our proof. */
  | { readonly name: 'met' }
  | { readonly name: 'consent' }
  | { readonly name: 'choice'; readonly findings: Findings | null }
  /** The page has the certificate; the server prepares. */
  | { readonly name: 'awaiting'; readonly key: KeyAtHand }
  | { readonly name: 'confirmation'; readonly key: KeyAtHand; readonly documents: readonly DocumentToSign[]; readonly expiresAt: number }
  | { readonly name: 'signing' }
  | { readonly name: 'signed'; readonly signatures: readonly { readonly documentId: string; readonly value: string }[] }
  | { readonly name: 'failed'; readonly code: LocalSignerFault };

/** What the window says above its form after something went wrong that can be tried again. */
export type Notice =
  | 'FILE_PASSWORD'
  | 'FILE_DAMAGED'
  | 'FILE_UNSUPPORTED'
  | 'FILE_NO_KEY'
  | 'FILE_EXPIRED'
  | 'NOTHING_CHOSEN'
  | 'PIN_WRONG'
  | 'PIN_WRONG_LOW'
  | 'PIN_WRONG_LAST'
  | 'PIN_REST'
  | 'TOKEN_REMOVED'
  | 'KEY_FAILED'
  | 'CANCELLED';

const lifeMilliseconds = 20 * 60_000;
/** A page asks every second, one in the background every minute: whoever is silent longer has been closed. */
const silenceMilliseconds = 150_000;
/** From greeting to meeting a page asks nobody. */
const greetingMilliseconds = 15_000;
const randomName = () => randomBytes(32).toString('base64url');

/** One signature asked for by one page: from its first request to its end, one window. */
export class Session {
  readonly id = randomName();
  /** In the window's address. */
  readonly secret = randomName();
  /** Given to the first browser that opens the window, and demanded from then on. */
  readonly cookie = randomName();
  claimed = false;
  /** The page let go of it: only the window still sees it, to say so. */
  dropped = false;
  /** Counts the changes that the window has to show. */
  turn = 0;
  phase: Phase = { name: 'greeted' };
  notice: Notice | null = null;
  /** What the page is told when the user gives up after a problem. */
  lastFault: LocalSignerFault = 'REFUSED_BY_USER';
  /** Wrong PINs so far. */
  wrongPins = 0;
  /** Six digits that the page shows too; null until they have met. */
  code: string | null = null;
  /** The code among others, for whom is to find it. */
  codes: readonly string[] = [];
  /** Null until the site has asked. */
  demand: Demand | null = null;
  /** Whether a window has been opened for it. */
  hasWindow = false;
  readonly origin: string;
  readonly acquaintance: Acquaintance;
  readonly #beganAt: number;
  #askedAt: number;

  constructor(origin: string, commitment: string, now: number) {
    this.origin = origin;
    this.acquaintance = { commitment, nonce: randomName() };
    this.#beganAt = now;
    this.#askedAt = now;
  }

  /** The page is still there. */
  asked(now: number): void {
    this.#askedAt = now;
  }

  get isOver(): boolean {
    return this.phase.name === 'signed' || this.phase.name === 'failed';
  }

  isForgotten(now: number): boolean {
    const life = this.phase.name === 'greeted' ? greetingMilliseconds : lifeMilliseconds;
    return now - this.#beganAt >= life || now - this.#askedAt >= silenceMilliseconds;
  }

  /** Goes to a phase; a key that is left behind is forgotten. */
  enter(phase: Phase, notice: Notice | null = null): void {
    const before = this.phase;
    if ('key' in before && !('key' in phase)) before.key.forget();
    this.phase = phase;
    this.notice = notice;
    this.turn += 1;
  }

  fail(code: LocalSignerFault): void {
    if (!this.isOver) this.enter({ name: 'failed', code });
  }

  hasCookie(value: string): boolean {
    const given = Buffer.from(value);
    const expected = Buffer.from(this.cookie);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** What the page is told. */
  forPage(): LocalSignerSession {
    const { phase } = this;
    if (phase.name === 'failed') return { state: 'failed', code: phase.code };
    if (phase.name === 'signed') return { state: 'signed', signatures: [...phase.signatures] };
    if (phase.name !== 'awaiting') return { state: 'waiting' };
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    return { state: 'certificate', certificate: base64(phase.key.certificate), chain: phase.key.chain.map(base64) };
  }
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
