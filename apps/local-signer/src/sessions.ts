import { amongOthers, commitmentTo, meetingCode, meetingText } from '@lavra/api';
import type { LocalSignerGreeted, LocalSignerRequest } from '@lavra/api';
import type { Identity } from './identity.ts';
import { fetchKey, isOrigin } from './origins.ts';
import type { ApprovedSites } from './origins.ts';
import { PinTries } from './pin-tries.ts';
import { RateLimit } from './rate-limit.ts';
import { SignerFault, UsedNonces, assertFor, isSignedBy, readRequest } from './requests.ts';
import type { UnverifiedRequest } from './requests.ts';
import { Session, sha256Hex } from './session.ts';
import type { Demand, DocumentToSign, SiteStanding } from './session.ts';
import { areSignedAttributes } from './signed-attributes.ts';

export interface Surroundings {
  readonly identity: Identity;
  /** Whether callers of other users are told apart at the socket. Where not, the window asks for the code that the page shows. */
  readonly knowsOwners: boolean;
  readonly sites: ApprovedSites;
  /** The time of day, for what says until when it holds. */
  readonly now: () => number;
  /** Milliseconds since some moment, for how long something takes: a clock that is set right shortens and prolongs none of it. */
  readonly elapsed: () => number;
  /** PKCS #11 modules to ask, looked for anew each time. */
  readonly modules: () => readonly string[];
  /** A new session waits for its person. */
  readonly onWindow: (session: Session) => void;
  /** The window is there. */
  readonly onClaimed: (session: Session) => void;
}

const mostSessions = 8;
const mostForSite = 2;
/** Whoever nobody has allowed yet: never so many that an approved site finds no place. */
const mostForStrangers = 3;
/** After a "no" at first contact, the site may not ask again at once. */
const refusalMilliseconds = 60_000;

/** The open sessions, and everything that decides whether a request becomes one or goes on in one. */
export class Sessions {
  readonly pinTries = new PinTries();
  readonly #surroundings: Surroundings;
  readonly #sessions = new Map<string, Session>();
  readonly #nonces = new UsedNonces();
  readonly #refused = new Map<string, number>();
  readonly #attempts = new RateLimit(20, 60_000);
  readonly #firstContacts = new RateLimit(3, 60_000);
  readonly #allFirstContacts = new RateLimit(12, 60_000);

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** A page begins. `origin` is what the browser says. Throws SignerFault. */
  greet(origin: string, commitment: string): LocalSignerGreeted {
    const { elapsed, identity } = this.#surroundings;
    this.sweep();
    if (!isOrigin(origin) || (this.#refused.get(origin) ?? 0) > elapsed()) throw new SignerFault('ORIGIN_REFUSED');
    if (!this.#attempts.allows(origin, elapsed())) throw new SignerFault('TOO_MANY');
    this.#assertRoom(origin);
    const session = new Session(origin, commitment, elapsed());
    this.#sessions.set(session.id, session);
    return { session: session.id, key: identity.key, nonce: session.acquaintance.nonce };
  }

  /** Proves our key to the page, over both nonces; the window opens with the code where the page does not know the key. Throws SignerFault. */
  async meet(session: Session, port: number, nonce: string, show: boolean): Promise<string> {
    const { identity } = this.#surroundings;
    if (session.phase.name !== 'greeted') throw new SignerFault('REQUEST_INVALID', 'met already');
    if ((await commitmentTo(nonce)) !== session.acquaintance.commitment) throw new SignerFault('REQUEST_INVALID', 'another nonce');
    const meeting = { origin: session.origin, port, key: identity.key, pageNonce: nonce, signerNonce: session.acquaintance.nonce };
    const code = await meetingCode(meeting);
    if (session.phase.name !== 'greeted') throw new SignerFault('REQUEST_INVALID', 'met already');
    if (show) this.#openWindow(session, this.isApproved(session));
    session.code = code;
    session.codes = amongOthers([code]);
    session.enter({ name: 'met' });
    return identity.sign(meetingText(meeting));
  }

  /** First step. A request that does not hold ends the session. Throws SignerFault. */
  async demand(session: Session, requestText: string): Promise<void> {
    if (session.phase.name !== 'met') throw new SignerFault('REQUEST_INVALID', 'not awaited');
    try {
      const demand = await this.#judge(session, requestText);
      // Anything may have happened while the key was fetched.
      if (session.phase.name !== 'met') throw new SignerFault('REQUEST_INVALID', 'not awaited');
      this.#openWindow(session, demand.standing === 'approved');
      session.demand = demand;
      session.enter({ name: 'consent' });
    } catch (error) {
      if (error instanceof SignerFault && session.phase.name === 'met') session.fail(error.code);
      throw error;
    }
  }

  async #judge({ origin }: Session, requestText: string): Promise<Demand> {
    const { now, sites } = this.#surroundings;
    const unverified = readRequest(requestText);
    const { request } = unverified;
    assertFor(request, 'certificate', origin, now());
    const { key, standing } = await this.#serverKey(origin, unverified);
    assertFor(request, 'certificate', origin, now());
    this.#nonces.use(request, now());
    return { request, serverKey: key, standing: sites.keyOf(origin) === key ? 'approved' : standing };
  }

  #openWindow(session: Session, isApproved: boolean): void {
    if (session.hasWindow) return;
    if (!isApproved) this.#assertFewFirstContacts(session.origin);
    session.hasWindow = true;
    this.#surroundings.onWindow(session);
  }

  isApproved({ origin }: Pick<Session, 'origin'>): boolean {
    return this.#surroundings.sites.keyOf(origin) !== null;
  }

  /** Anybody's site may ask at first contact, and each time a window opens in front of the user. */
  #assertFewFirstContacts(origin: string): void {
    const now = this.#surroundings.elapsed();
    if (!this.#firstContacts.allows(origin, now) || !this.#allFirstContacts.allows('', now)) throw new SignerFault('TOO_MANY');
  }

  #assertRoom(origin: string): void {
    const open = [...this.#sessions.values()].filter((session) => !session.isOver);
    const ofSite = open.filter((session) => session.origin === origin);
    if (open.length >= mostSessions || ofSite.length >= mostForSite) throw new SignerFault('TOO_MANY');
    if (this.#surroundings.sites.keyOf(origin) !== null) return;
    const strangers = open.filter((session) => !this.isApproved(session));
    if (strangers.length < mostForStrangers) return;
    // One that its person cannot see, and so cannot refuse, holds no place against a newcomer.
    const unseen = strangers.find(({ hasWindow }) => !hasWindow);
    if (unseen === undefined) throw new SignerFault('TOO_MANY');
    this.drop(unseen);
  }

  /** The pinned key; where there is none, or it did not sign this request, the one the site shows now. */
  async #serverKey(origin: string, unverified: UnverifiedRequest): Promise<{ key: string; standing: SiteStanding }> {
    const pinned = this.#surroundings.sites.keyOf(origin);
    if (pinned !== null && isSignedBy(unverified, pinned)) return { key: pinned, standing: 'approved' };
    const key = await fetchKey(origin);
    if (key === null) throw new SignerFault('KEY_UNREACHABLE');
    if (!isSignedBy(unverified, key)) throw new SignerFault('REQUEST_INVALID', 'its signature');
    return { key, standing: pinned === null ? 'new' : 'changed' };
  }

  /** The session of this page. Throws SESSION_UNKNOWN also for a session of another site. */
  of(origin: string, id: string): Session {
    this.sweep();
    const session = this.#sessions.get(id);
    if (session === undefined || session.dropped || session.origin !== origin) throw new SignerFault('SESSION_UNKNOWN');
    session.asked(this.#surroundings.elapsed());
    return session;
  }

  /** The session of a window's address. */
  ofWindow(secret: string): Session | null {
    this.sweep();
    return [...this.#sessions.values()].find((session) => session.hasWindow && session.secret === secret) ?? null;
  }

  /** Second step: the same site, documents and certificate, and nothing to sign but signed attributes. Throws SignerFault. */
  goOn(session: Session, requestText: string): void {
    const { now } = this.#surroundings;
    const unverified = readRequest(requestText);
    const { request } = unverified;
    const { phase, demand } = session;
    if (phase.name !== 'awaiting' || demand === null) throw new SignerFault('REQUEST_INVALID', 'not awaited');
    if (!isSignedBy(unverified, demand.serverKey)) throw new SignerFault('REQUEST_INVALID', 'its signature');
    assertFor(request, 'sign', session.origin, now());
    const documents = documentsOf(request, demand.request, phase.key.certificate);
    this.#nonces.use(request, now());
    session.enter({ name: 'confirmation', key: phase.key, documents, expiresAt: Date.parse(request.expiresAt) });
  }

  /** The page gave up. */
  drop(session: Session): void {
    session.fail('REFUSED_BY_USER');
    session.dropped = true;
  }

  /** A "no" in the window. */
  refuse(session: Session): void {
    const isFirstContact = session.phase.name === 'met' ? !this.isApproved(session) : session.demand?.standing !== 'approved';
    if (isFirstContact && (session.phase.name === 'met' || session.phase.name === 'consent')) {
      this.#refused.set(session.origin, this.#surroundings.elapsed() + refusalMilliseconds);
    }
    session.fail(session.lastFault);
  }

  /** A "yes" in the window: the site is remembered with its key. */
  approve(session: Session): void {
    const { origin, demand } = session;
    if (demand === null || demand.standing === 'approved') return;
    const approvedAt = new Date(this.#surroundings.now()).toISOString();
    this.#surroundings.sites.approve({ origin, key: demand.serverKey, approvedAt });
  }

  /** Forgets what has ended or waited too long, its keys first. */
  sweep(): void {
    const now = this.#surroundings.elapsed();
    for (const [origin, until] of this.#refused) if (until <= now) this.#refused.delete(origin);
    for (const session of this.#sessions.values()) {
      if (!session.isForgotten(now)) continue;
      session.fail('REQUEST_EXPIRED');
      this.#sessions.delete(session.id);
    }
  }

  end(): void {
    for (const session of this.#sessions.values()) this.drop(session);
  }
}

function documentsOf(request: LocalSignerRequest, first: LocalSignerRequest, certificate: Uint8Array): DocumentToSign[] {
  if (request.certificate !== sha256Hex(certificate)) throw new SignerFault('REQUEST_INVALID', 'another certificate');
  if (request.title !== first.title || request.creator !== first.creator || request.documents.length !== first.documents.length) {
    throw new SignerFault('REQUEST_INVALID', 'not what was shown');
  }
  return request.documents.map(({ documentId, name, sha256, digest, signedAttributes }) => {
    const shown = first.documents.some((one) => one.documentId === documentId && one.name === name && one.sha256 === sha256);
    if (!shown) throw new SignerFault('REQUEST_INVALID', 'a document that was not shown');
    const bytes = new Uint8Array(Buffer.from(signedAttributes ?? '', 'base64'));
    if (digest === undefined || !areSignedAttributes(bytes, digest, certificate))
      throw new SignerFault('REQUEST_INVALID', 'no signed attributes');
    return { documentId, digest, signedAttributes: bytes };
  });
}
