import type { TrustStore, ValidationMaterial } from '@lavra/pades';
import type { PscClient, PscId } from '@lavra/psc';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ReadFirst } from './access/first-reading.store.ts';
import type { Config } from './config.ts';
import type { ListsCopy } from './db/lists-copy.ts';
import type { Database } from './db/tables.ts';
import type { Identity } from './identity/identity.ts';
import type { Changes } from './installation/changes.ts';
import type { JobSender } from './jobs/queue.ts';
import type { Metrics } from './metrics/metrics.ts';
import { networkFence } from './network-fence.ts';
import type { Translator } from './language/translator.ts';
import type { Outside } from './outside/outside.ts';
import type { Secrets } from './secrets.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { traced, type Tracer, tracedPort } from './tracing/tracer.ts';
import type { Workers } from './workers.ts';

export interface Clock {
  now(): Date;
}

/** RFC 3161 over HTTP: DER request in, DER response out. */
export interface TimestampAuthority {
  timestamp(request: Uint8Array): Promise<Uint8Array>;
  /** How long its last answer was, as far as this program has asked: a measure for the room that the next one gets. */
  readonly tokenBytes?: number | undefined;
  /** Anchors that we accept for its tokens, DER; none: nobody can tell what its tokens are worth, and files end at B-T. */
  anchors: readonly Uint8Array[];
  /** Whose tokens are used at all; left out: of whom they are is found out when files are archived and verified. */
  readonly trust?: TrustStore;
  /** Its certificates and CRLs where they are at hand, as in development; null: they are fetched from where its certificates say. */
  material: (() => Promise<ValidationMaterial>) | null;
}

/** An account, and the address that its holder has shown to be theirs. */
export interface ProvenAddress {
  userId: string;
  email: string;
}

/**
 * All that a use case may touch. `db` is the pool, or the transaction's connection inside `transaction`:
 * jobs sent and rows written there stand or fall together.
 */
export interface Ctx {
  readonly db: Kysely<Database>;
  /** What the call that this is of has read with who makes it (access/first-reading.store.ts); a transaction asks by itself. */
  readonly readFirst?: ReadFirst | null;
  /** Of a call that is done once for its key and is no transaction: what the ids of what it makes are named after, so that nobody makes them again. */
  readonly onceFor?: string;
  readonly clock: Clock;
  readonly jobs: JobSender;
  readonly storage: BlobStore;
  readonly workers: Workers;
  /** Null when no timestamp authority is configured. */
  readonly timestamps: TimestampAuthority | null;
  /** Below a root of ICP-Brasil: the only one whose timestamps go into documents signed with certificates. Null: those stay AD-RB. */
  readonly icpBrasilTimestamps: TimestampAuthority | null;
  /** ICP-Brasil's roots for signatures and timestamps, with what is known of the authorities below; no anchors: nobody can sign with a certificate here. */
  readonly icpBrasil: TrustStore;
  /** Cloud providers of certificates, those that are configured. */
  readonly psc: PscClient & { readonly ids: readonly PscId[] };
  /** Providers that people sign in through, those that are configured. */
  readonly identity: Identity;
  /** The only way to addresses that strangers chose. */
  readonly outside: Outside;
  readonly translate: Translator;
  readonly secrets: Secrets;
  readonly config: Config;
  /** Absolute address of the product, no trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
  /** What this program counts of itself. */
  readonly metrics: Metrics;
  /** Tells pages that wait that a process changed. */
  readonly changes: Changes;
  /** What others know this program by, for as long as it lives; null while they cannot (installation/presence.ts). */
  readonly mark: () => number | null;
  /** Tells a collector where time goes, if there is one. */
  readonly tracer: Tracer;
  /** What the rooms above have to do with an address that was proven: in the transaction that says so. */
  readonly addressProven: (tx: Tx, account: ProvenAddress) => Promise<void>;
  /** Whether the rooms above still wait for the signer whom a mail invites by this link, which waits to be sent. */
  readonly isStillInvited: (ctx: Ctx, linkKey: string) => Promise<boolean>;
  /** What the rooms above say to an account's removal, or to its being shut: in the transaction that does it. Throws where it must stay. */
  readonly accountLeaves: (tx: Tx, userId: string) => Promise<void>;
  /**
   * Reads a list: over a copy of the database where one is configured and has all that was committed (db/lists-copy.ts), inside a
   * transaction over that. `read` only reads, and may be called twice.
   */
  lists<T>(read: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** One transaction; inside of one it joins that. The network is out of reach meanwhile. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * The context inside a transaction, which holds locks and a connection that others wait for: what reaches over the network is
 * no part of it. A function that was given it as a plain `Ctx` finds the same doors shut when it runs (network-fence.ts).
 */
export type Tx = Ctx & { readonly [Port in 'storage' | 'timestamps' | 'icpBrasilTimestamps' | 'psc' | 'identity' | 'outside']: never };

export type CtxParts = Omit<Ctx, 'transaction' | 'jobs' | 'lists' | 'readFirst' | 'onceFor'> & {
  jobsFor(db: Kysely<Database>): JobSender;
  /** Null: lists are read where everything is. */
  listsCopy: ListsCopy | null;
};

/** Builds the context. Inside a transaction `transaction` joins the one that is open. */
export function createContext(parts: CtxParts): Ctx {
  const { jobsFor, listsCopy, ...rest } = parts;
  const fence = networkFence();
  const port = <Port extends object>(name: string, given: Port) => fence.around(name, tracedPort(parts.tracer, name, given));
  const ctx: Ctx = {
    ...rest,
    storage: port('storage', rest.storage),
    timestamps: rest.timestamps && port('timestamps', rest.timestamps),
    icpBrasilTimestamps: rest.icpBrasilTimestamps && port('icpBrasilTimestamps', rest.icpBrasilTimestamps),
    psc: port('psc', rest.psc),
    identity: port('identity', rest.identity),
    outside: port('outside', rest.outside),
    jobs: jobsFor(parts.db),
    lists: (read) => (listsCopy ? listsCopy.read((db) => read({ ...ctx, db })) : read(ctx)),
    transaction: (run) =>
      traced(parts.tracer, 'transaction', 'internal', () =>
        parts.db.transaction().execute((trx) => {
          const tx: Ctx = {
            ...ctx,
            db: trx,
            jobs: jobsFor(trx),
            lists: (read) => read(tx),
            transaction: (inner) => inner(tx as Tx),
          };
          return fence.during(() => run(tx as Tx));
        }),
      ),
  };
  return ctx;
}
