import { applicationUsers } from '@lavra/api';
import { checkedApplicationUser } from '@lavra/domain';
import { sql } from 'kysely';
import type { EntityRoom, Row } from '../../entities/entity-room.ts';

/** An account with its CPF and its company. */
interface ApplicationUserRow {
  id: string;
  email: string;
  name: string;
  created_at: Date;
  /** As its holder wrote it. */
  legal_identifier: string | null;
  /** As a provider of identities has confirmed it. */
  cpf: string | null;
  company_id: string | null;
  company_name: string | null;
}

/** Application users: everybody their own, and all of them the installation's administrators'. */
export const applicationUserRows: EntityRoom<typeof applicationUsers> = {
  entity: applicationUsers,
  table: 'application_user',
  scope: ({ authorities, userId }) => (authorities.includes('ROLE_ADMIN') ? sql`true` : sql`id = ${userId}`),
  sorts: {
    user: { column: 'email' },
    company: { column: 'company_name', text: true },
    createdDate: { column: 'created_at' },
  },
  toRow(written) {
    const { legalIdentifier } = checkedApplicationUser(written);
    // What was left out stays as it is.
    return legalIdentifier === undefined ? {} : { legal_identifier: legalIdentifier };
  },
  fromRow(row) {
    const user = row as unknown as ApplicationUserRow;
    return {
      legalIdentifier: user.cpf ?? user.legal_identifier,
      user: { id: user.id, name: user.email },
      company: user.company_id === null ? null : { id: user.company_id, name: user.company_name },
      createdDate: user.created_at.toISOString(),
    };
  },
  refusals: { taken: { code: 'record.exists', field: 'user' }, inUse: 'user.inUse' },
};

/** A person's CPF as a provider has confirmed it, and as they wrote it. */
export function identifiersOf(row: Row): { confirmed: string | null; said: string | null } {
  const { cpf, legal_identifier: said } = row as unknown as ApplicationUserRow;
  return { confirmed: cpf, said };
}
