import type { Readable } from 'node:stream';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { personalArchive } from './personal-archive.ts';
import { findPersonWithoutAccount } from './person-without-account.ts';

/**
 * What is kept of a person who has no account: who signed, or was asked to, by a link. In the language of whoever asks; the log of it names
 * nobody.
 * @throws DomainError personalData.hasAccount, personalData.none
 */
export async function exportPerson(ctx: Ctx, actor: Person, { email }: { email: string }): Promise<Readable> {
  const { subject, kept } = await findPersonWithoutAccount(ctx, email);
  const archive = await personalArchive(ctx, { subject, langKey: actor.langKey, kept });
  await recordAudit(ctx, { kind: 'person.exported', outcome: 'success', accountId: actor.userId, ip: actor.from.ip });
  return archive;
}
