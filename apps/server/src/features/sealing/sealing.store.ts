import { DomainError } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { keptStatement } from '../../db/kept-statement.ts';
import { isAbout } from '../../tracing/under-way.ts';
import { certificateParts, type KnownRevoked, type SignersCertificate } from '../authority/revocation-sources.ts';
import { eventParts, type RecordedEvent } from '../processes/life/event-chain.ts';
import { type HeldLoaded, type MailedKeys, processParts } from '../processes/load-process.ts';
import { type Evidence, evidenceParts } from '../signing/list-evidence.ts';

/** A process with all that its seal is made of. */
export interface ToSeal {
  read: HeldLoaded;
  /** Issued to its signers. */
  certificates: SignersCertificate[];
  revoked: KnownRevoked;
  /** That stand in the mails to its signers. */
  keys: MailedKeys;
}

interface OfProcess {
  id: string;
}

const toSeal = keptStatement((db, { id }: OfProcess) =>
  processParts
    .select(db, id, 'files')
    .select([
      certificateParts.ofSigners(processParts.signerIds(id)).as('certificates'),
      certificateParts.revoked().as('revoked'),
      processParts.keys(id).as('keys'),
    ]),
);

/** @throws DomainError process.notFound */
export async function loadToSeal(ctx: Ctx, id: string): Promise<ToSeal> {
  isAbout(id);
  const at = ctx.clock.now();
  const [row] = await toSeal(ctx.db, { id });
  if (!row) throw new DomainError('process.notFound');
  const { certificates, revoked, keys, ...own } = row;
  return {
    read: processParts.of(own),
    certificates: certificates.map(certificateParts.of),
    revoked: { all: revoked.map(certificateParts.revokedOf), at },
    keys: processParts.keysOf(keys),
  };
}

const toReport = keptStatement((db, { id }: OfProcess) => {
  const ofProcess = sql<string>`${id}::uuid`;
  return db.selectNoFrom([eventParts.ofProcess(ofProcess).as('events'), evidenceParts.ofProcess(db, ofProcess).as('evidences')]);
});

/** What the evidence report tells: the events of a process in their order, and what was given for the signatures that stand; of one moment. */
export interface ToReport {
  events: RecordedEvent[];
  evidences: Evidence[];
}

export async function findToReport(ctx: Ctx, id: string): Promise<ToReport> {
  const [row] = await toReport(ctx.db, { id });
  return { events: (row?.events ?? []).map(eventParts.of), evidences: (row?.evidences ?? []).map(evidenceParts.of) };
}
