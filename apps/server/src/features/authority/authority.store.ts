import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Write } from '../../db/at-once.ts';
import { keptStatement } from '../../db/kept-statement.ts';
import { unforced } from '../../db/unforced.ts';

export async function lockAuthority(tx: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lavra:authority'))`.execute(tx.db);
}

export async function listAuthorities(ctx: Ctx) {
  return ctx.db.selectFrom('authority').select(['id', 'certificate', 'encrypted_key as encryptedKey']).execute();
}

export async function insertAuthority(tx: Ctx, row: { id: string; certificate: Buffer; encryptedKey: Buffer }): Promise<void> {
  await tx.db
    .insertInto('authority')
    .values({ id: row.id, certificate: row.certificate, encrypted_key: row.encryptedKey, created_at: tx.clock.now() })
    .execute();
}

export interface IssuedRow {
  serial: string;
  subject: string;
  certificate: Buffer;
  signerId: string;
  notBefore: Date;
  notAfter: Date;
}

function insertIssued(db: Ctx['db'], row: IssuedRow) {
  return db.insertInto('issued_certificate').values({
    serial: row.serial,
    issuer_id: 'people',
    subject: row.subject,
    certificate: row.certificate,
    signer_id: row.signerId,
    not_before: row.notBefore,
    not_after: row.notAfter,
  });
}

const issued = keptStatement((db, row: IssuedRow) => insertIssued(db, row).returning(unforced.as('unforced')));

/** A part of a statement (db/at-once.ts), which is forced as its act is. */
export function issuedCertificateWrite(ctx: Ctx, row: IssuedRow): Write {
  return { as: 'issued', query: insertIssued(ctx.db, row) };
}

/** Its commit waits for no disk: the signature that is made with it is recorded later, and forces this before it (db/unforced.ts). */
export async function insertIssuedCertificate(ctx: Ctx, row: IssuedRow): Promise<void> {
  await issued(ctx.db, row);
}

const revoked = keptStatement((db, { issuerIds }: { issuerIds: readonly string[] }) =>
  db
    .selectFrom('issued_certificate')
    .select(['issuer_id as issuerId', 'serial', 'revoked_at as revokedAt'])
    .where('issuer_id', '=', sql<string>`any(${issuerIds}::text[])`)
    .where('revoked_at', 'is not', null),
);

/** A certificate of ours that was revoked. */
export interface Revoked {
  issuerId: string;
  /** Hexadecimal. */
  serial: string;
  revokedAt: Date | null;
}

export function listRevoked(ctx: Ctx, issuerIds: readonly string[]): Promise<Revoked[]> {
  return revoked(ctx.db, { issuerIds });
}

/** As JSON has it: an instant is a text. */
export type RevokedJson = Omit<Revoked, 'revokedAt'> & { revokedAt: string };

/** All of them, whoever issued them, for a statement that reads more on its way. */
export function selectRevoked(): RawBuilder<RevokedJson[]> {
  return sql<RevokedJson[]>`(
    select coalesce(json_agg(json_build_object('issuerId', issuer_id, 'serial', serial, 'revokedAt', revoked_at)), '[]')
    from issued_certificate where revoked_at is not null)`;
}

export const revokedIn = ({ revokedAt, ...own }: RevokedJson): Revoked => ({ ...own, revokedAt: new Date(revokedAt) });

/** A certificate that was issued to a signer. */
export interface SignersCertificate {
  der: Uint8Array;
  notAfter: Date;
}

/** As JSON has it: bytes in hexadecimal, an instant as a text. */
export type SignersCertificateJson = Record<'der' | 'notAfter', string>;

/** All that were issued to these signers, for a statement that reads more on its way; `signerIds`: SQL. */
export function signerCertificatesOf(signerIds: RawBuilder<unknown>): RawBuilder<SignersCertificateJson[]> {
  return sql<SignersCertificateJson[]>`(
    select coalesce(json_agg(json_build_object('der', encode(certificate, 'hex'), 'notAfter', not_after)), '[]')
    from issued_certificate where signer_id in (${signerIds}))`;
}

export const signersCertificateIn = ({ der, notAfter }: SignersCertificateJson): SignersCertificate => ({
  der: new Uint8Array(Buffer.from(der, 'hex')),
  notAfter: new Date(notAfter),
});
