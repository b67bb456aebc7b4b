import { Readable } from 'node:stream';
import { DomainError } from '@lavra/domain';
import type pg from 'pg';
import { addressSubjects } from '../access/client-address.ts';
import { DatabaseAwayError } from '../db/database-away.ts';
import type { Presence } from './presence.ts';

/** Whom this program tells that a process changed. What changed is asked for, by whoever may: a telling that is lost, late or doubled costs a look at most. */
export interface Changes {
  /**
   * Server-sent events: one as soon as whatever changes from then on is heard of, one for each change. They end after some minutes, with the session that
   * listens, and with the program: whoever waits comes again, and is looked at anew.
   * @throws DomainError request.tooMany past a bound; DatabaseAwayError while nothing can be heard of
   */
  follow(signatureProcessId: string, ip: string): Promise<Readable>;
  /** How many are told now. */
  count(): number;
  /** Ends all; nobody is told any more. */
  end(): void;
}

export interface ChangesBounds {
  /** A proxy takes what is silent for a minute for dead. */
  heartbeatMs: number;
  lifeMs: number;
  /** Two connections each at the proxy in front, which has 768 a processor where nobody said otherwise (nginx). */
  mostInProgram: number;
  mostOfProcess: number;
  /** One may be that of a whole company, whose other pages go on asking by themselves. */
  mostOfAddress: number;
}

const usual: ChangesBounds = { heartbeatMs: 20_000, lifeMs: 5 * 60_000, mostInProgram: 300, mostOfProcess: 50, mostOfAddress: 50 };

/** Migration 071 tells it; the message is the process's id. */
const CHANNEL = 'lavra_changed';
const CHANGED = 'data: changed\n\n';
/** A comment, which pages do not take for a change. */
const HEARTBEAT = ':\n\n';
/** Whoever leaves so much unread reads nothing any more. */
const UNREAD_BYTES = 1024;

interface Follower {
  signatureProcessId: string;
  network: string;
  until: number;
  stream: Readable;
}

/** Listens over the session of this program's mark, and only while somebody is told. */
export function openChanges({ session }: Pick<Presence, 'session'>, given: Partial<ChangesBounds> = {}): Changes {
  return new ToldChanges(session, { ...usual, ...given });
}

class ToldChanges implements Changes {
  readonly #session: Presence['session'];
  readonly #bounds: ChangesBounds;
  readonly #followers = new Set<Follower>();
  readonly #ofProcess = new Map<string, Set<Follower>>();
  #listening: Promise<pg.Client> | null = null;
  /** What is said to the session comes in its order: who listens anew does it after the end of the last time. */
  #resting: Promise<void> = Promise.resolve();
  #beating: NodeJS.Timeout | null = null;
  #isEnded = false;

  constructor(session: Presence['session'], bounds: ChangesBounds) {
    this.#session = session;
    this.#bounds = bounds;
  }

  count(): number {
    return this.#followers.size;
  }

  async follow(signatureProcessId: string, ip: string): Promise<Readable> {
    const network = addressSubjects(ip)[0]?.subject ?? ip;
    this.#assertRoom(signatureProcessId, network);
    const stream = new Readable({ read() {}, highWaterMark: UNREAD_BYTES });
    const follower = { signatureProcessId, network, until: performance.now() + this.#bounds.lifeMs, stream };
    this.#enter(follower);
    try {
      await (this.#listening ?? this.#beginToListen());
    } catch (error) {
      stream.destroy();
      throw error;
    }
    this.#tell(follower, CHANGED);
    return stream;
  }

  end(): void {
    this.#isEnded = true;
    this.#endAll();
    this.#rest();
  }

  #assertRoom(signatureProcessId: string, network: string): void {
    const { mostInProgram, mostOfProcess, mostOfAddress } = this.#bounds;
    const ofAddress = [...this.#followers].filter((one) => one.network === network).length;
    const ofProcess = this.#ofProcess.get(signatureProcessId)?.size ?? 0;
    const isFull = this.#followers.size >= mostInProgram || ofProcess >= mostOfProcess || ofAddress >= mostOfAddress;
    if (isFull) throw new DomainError('request.tooMany');
  }

  #enter(follower: Follower): void {
    const { signatureProcessId, stream } = follower;
    if (this.#isEnded) return void stream.push(null);
    const others = this.#ofProcess.get(signatureProcessId) ?? new Set();
    this.#ofProcess.set(signatureProcessId, others.add(follower));
    this.#followers.add(follower);
    stream.once('close', () => this.#leave(follower));
    this.#beating ??= setInterval(() => this.#beat(), this.#bounds.heartbeatMs).unref();
  }

  #leave(follower: Follower): void {
    const others = this.#ofProcess.get(follower.signatureProcessId);
    if (!this.#followers.delete(follower) || !others) return;
    others.delete(follower);
    if (others.size === 0) this.#ofProcess.delete(follower.signatureProcessId);
  }

  #tell(follower: Follower, said: string): void {
    if (this.#followers.has(follower) && !follower.stream.push(said)) follower.stream.destroy();
  }

  #end(follower: Follower): void {
    this.#leave(follower);
    follower.stream.push(null);
  }

  #endAll(): void {
    for (const follower of this.#followers) this.#end(follower);
  }

  #beginToListen(): Promise<pg.Client> {
    const listening = this.#listen();
    this.#listening = listening;
    // Of the one that came after it nothing is known by this.
    listening.catch(() => {
      if (this.#listening === listening) this.#listening = null;
    });
    return listening;
  }

  async #listen(): Promise<pg.Client> {
    await this.#resting;
    const client = this.#session();
    try {
      if (!client) throw new Error('the session that listens is lost');
      client.on('notification', this.#heard);
      client.once('end', this.#lost);
      await client.query(`listen ${CHANNEL}`);
      return client;
    } catch (error) {
      client?.off('notification', this.#heard).off('end', this.#lost);
      throw new DatabaseAwayError(error as Error);
    }
  }

  readonly #heard = ({ channel, payload = '' }: pg.Notification): void => {
    if (channel === CHANNEL) for (const follower of this.#ofProcess.get(payload) ?? []) this.#tell(follower, CHANGED);
  };

  /** What changes until somebody listens again is not heard of: nobody is left to believe that it would be. */
  readonly #lost = (): void => {
    this.#listening = null;
    this.#endAll();
  };

  #beat(): void {
    const now = performance.now();
    for (const follower of this.#followers) {
      if (now >= follower.until) this.#end(follower);
      else this.#tell(follower, HEARTBEAT);
    }
    if (this.#followers.size === 0) this.#rest();
  }

  /** A session that nobody needs is woken by no change. */
  #rest(): void {
    if (this.#beating) clearInterval(this.#beating);
    this.#beating = null;
    const listening = this.#listening;
    this.#listening = null;
    if (listening) this.#resting = unlisten(listening, this.#heard, this.#lost);
  }
}

/** Whatever goes wrong with it ends the session, and the listening with it. */
async function unlisten(listening: Promise<pg.Client>, heard: (said: pg.Notification) => void, lost: () => void): Promise<void> {
  const client = await listening.catch(() => null);
  client?.off('notification', heard).off('end', lost);
  await client?.query(`unlisten ${CHANNEL}`).catch(() => {});
}
