import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

export interface Contact {
  name: string;
  email: string;
}

/** So many of the latest processes are looked through, and so many people told: the list is for a glance. */
const [PROCESSES, PEOPLE] = [100, 50];

/** The signers of somebody's own latest processes, each address once under its latest name; drafts have called nobody. */
export async function latestContacts(ctx: Ctx, ownerId: string): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select name, email from (
      select distinct on (s.email) s.name, s.email, p.created_at
      from (
        select id, created_at from signature_process
        where owner_id = ${ownerId} and status <> 'DRAFT' order by created_at desc limit ${PROCESSES}
      ) p join signer s on s.signature_process_id = p.id
      order by s.email, p.created_at desc
    ) latest order by created_at desc, name limit ${PEOPLE}`.execute(ctx.db);
  return rows;
}
