import { companies } from '@lavra/api';
import { checkedCompany, DomainError } from '@lavra/domain';
import { sql } from 'kysely';
import type { EntityRoom } from '../../entities/entity-room.ts';
import type { Ctx } from '../../context.ts';
import { insertMember } from './members.store.ts';

/** A company's own columns. */
interface CompanyRow {
  name: string;
  cnpj: string | null;
  brand_color: string | null;
  accent_color: string | null;
  logo_hash: string | null;
  max_doc_size: number | null;
  max_time: number | null;
  created_at: Date;
}

const columns = {
  name: 'name',
  cnpj: 'cnpj',
  brandColor: 'brand_color',
  accentColor: 'accent_color',
  maxDocSize: 'max_doc_size',
  maxTime: 'max_time',
} as const;

/** Companies: all of them the installation's administrators', and each its own administrators'. */
export const companyRows: EntityRoom<typeof companies> = {
  entity: companies,
  table: 'company',
  scope: ({ authorities, userId }) =>
    authorities.includes('ROLE_ADMIN')
      ? sql`true`
      : sql`id in (select company_id from company_member where user_id = ${userId} and role = 'admin')`,
  audited: true,
  sorts: {
    name: { column: 'name', text: true },
    cnpj: { column: 'cnpj' },
    createdDate: { column: 'created_at' },
    id: { column: 'id' },
  },
  toRow(written) {
    const values = checkedCompany(written);
    // What was left out stays as it is.
    return Object.fromEntries(Object.entries(values).map(([field, value]) => [columns[field as keyof typeof columns], value]));
  },
  fromRow(row) {
    const company = row as unknown as CompanyRow;
    return {
      name: company.name,
      cnpj: company.cnpj,
      brandColor: company.brand_color,
      accentColor: company.accent_color,
      maxDocSize: company.max_doc_size,
      maxTime: company.max_time,
      logo: company.logo_hash,
      createdDate: company.created_at.toISOString(),
    };
  },
  born: (ctx) => ({ created_at: ctx.clock.now() }),
  async followed(tx, actor, { id, before }) {
    if (before !== null) return;
    const isInstallations = actor.authorities.includes('ROLE_ADMIN');
    if (actor.company !== null && !isInstallations) throw new DomainError('company.alreadyMember');
    if (actor.company === null) await insertMember(tx, { companyId: id, userId: actor.userId, role: 'admin' });
  },
  refusals: { taken: { code: 'company.cnpjTaken', field: 'cnpj' }, missing: 'company.notFound' },
};

/** As it is, whoever asks; undefined: there is none. */
export async function findCompany(ctx: Ctx, id: string) {
  const { rows } = await sql<CompanyRow & { id: string; version: number }>`select * from company where id = ${id}`.execute(ctx.db);
  const [row] = rows;
  return row && { id: row.id, version: row.version, ...companyRows.fromRow({ ...row }) };
}

/** Who joins, leaves or changes their role does it one after the other: held for the rest of the transaction. Its name; undefined: there is none. */
export async function lockCompany(tx: Ctx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from company where id = ${id} for update`.execute(tx.db);
  return rows[0]?.name;
}

export async function setLogoHash(tx: Ctx, id: string, hash: string | null): Promise<void> {
  await sql`update company set logo_hash = ${hash}, version = version + 1 where id = ${id}`.execute(tx.db);
}
