import assert from 'node:assert/strict';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import type { TestAccount } from './accounts.ts';
import type { TestApp } from './app.ts';

export type Quotas = Partial<
  Record<'documents' | 'digitalSignatures' | 'eletronicSignatures' | 'storage' | 'accountUsersLimit', string | null>
>;

let count = 0;

/** A contract of somebody's with a plan of these quotas, both made by an administrator; blank ones have no limit. */
export async function contractOf(
  app: TestApp,
  administrator: TestAccount,
  owner: TestAccount,
  quotas: Quotas = {},
): Promise<{ id: number; typeId: number }> {
  count += 1;
  const type = await app.call(api.contractTypes.create, { token: administrator.token, body: { name: `Plano ${count}`, ...quotas } });
  assert.equal(type.status, 201, type.raw.body);
  const made = await app.call(api.contracts.create, {
    token: administrator.token,
    body: { validity: '2099-01-31T15:00:00.000Z', contractType: { id: type.body.id }, applicationUsers: { id: owner.id } },
  });
  assert.equal(made.status, 201, made.raw.body);
  return { id: made.body.id, typeId: type.body.id };
}

/** What a contract counts. */
export interface CountedUsage {
  documents: number;
  digital: number;
  electronic: number;
  storage: number;
  digitalReserved: number;
  electronicReserved: number;
}

export async function countedOn(app: TestApp, contractId: number): Promise<CountedUsage> {
  const { rows } = await sql<CountedUsage>`
    select uploaded_documents as documents, digital_signatures_done as digital, electronic_signatures_done as electronic,
      storage_used as storage, digital_reserved as "digitalReserved", electronic_reserved as "electronicReserved"
    from contract where id = ${contractId}`.execute(app.ctx.db);
  return rows[0] ?? assert.fail('no such contract');
}

/**
 * The same counted one by one, by nothing but the events and the documents of the people whom it covers: right where they did everything
 * under this contract, and it was not saved since.
 */
export async function countedByEvents(app: TestApp, people: readonly TestAccount[]): Promise<CountedUsage> {
  const ids = people.map(({ id }) => id);
  const { rows } = await sql<CountedUsage>`
    with own as (
      select p.id, p.modality,
        (select count(*) from signer where signature_process_id = p.id) * (select count(*) from document where signature_process_id = p.id) as asked,
        (select coalesce(sum(jsonb_array_length(e.data -> 'documents')), 0) from event e
          where e.signature_process_id = p.id and e.type = 'signer.signed') as made,
        exists (select from event e where e.signature_process_id = p.id and e.type in ('process.canceled', 'process.expired', 'signer.rejected')) as ended
      from signature_process p
      where p.owner_id = any(${ids}::uuid[]) and exists (select from event e where e.signature_process_id = p.id and e.type = 'process.started')
    ), kept as (
      select d.id, (select sum(size) from document_revision r where r.document_id = d.id)
        + coalesce(d.signature_page_size, 0) + coalesce(d.printable_copy_size, 0) as bytes
      from document d where d.owner_id = any(${ids}::uuid[])
    )
    select (select count(*) from kept) as documents, (select coalesce(sum(bytes), 0)::bigint from kept) as storage,
      coalesce(sum(made) filter (where modality = 'digital'), 0)::bigint as digital,
      coalesce(sum(made) filter (where modality = 'electronic'), 0)::bigint as electronic,
      coalesce(sum(asked - made) filter (where modality = 'digital' and not ended), 0)::bigint as "digitalReserved",
      coalesce(sum(asked - made) filter (where modality = 'electronic' and not ended), 0)::bigint as "electronicReserved"
    from own`.execute(app.ctx.db);
  return rows[0] ?? assert.fail('nothing was counted');
}
