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

/** Where a session stands. The window shows one page for each. */
export type Phase =
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
  | 'TOKEN_REMOVED'
  | 'KEY_FAILED'
  | 'CANCELLED';

const lifeMilliseconds = 20 * 60_000;
/** A page asks every second, one in the background every minute: whoever is silent longer has been closed. */
const silenceMilliseconds = 150_000;
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
  phase: Phase = { name: 'consent' };
  notice: Notice | null = null;
  /** What the page is told when the user gives up after a problem. */
  lastFault: LocalSignerFault = 'REFUSED_BY_USER';
  readonly origin: string;
  /** The server's, SPKI, base64: both requests are of it. */
  readonly serverKey: string;
  readonly standing: SiteStanding;
  readonly request: LocalSignerRequest;
  readonly #endsAt: number;
  #askedAt: number;

  constructor(site: { origin: string; serverKey: string; standing: SiteStanding }, request: LocalSignerRequest, now: number) {
    this.origin = site.origin;
    this.serverKey = site.serverKey;
    this.standing = site.standing;
    this.request = request;
    this.#endsAt = now + lifeMilliseconds;
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
    return now >= this.#endsAt || now - this.#askedAt >= silenceMilliseconds;
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
