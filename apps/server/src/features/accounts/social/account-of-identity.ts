import { DomainError } from '@lavra/domain';
import type { RequestFacts } from '../../../access/actor.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Tx } from '../../../context.ts';
import type { ProvenIdentity } from '../../../identity/identity.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { findUserByEmail, lockUser } from '../accounts.store.ts';
import { findConfirmedCpfOf, findLinkedUser, linkIdentity, noteIdentityUsed, setConfirmedCpf } from './identities.store.ts';
import { identityMail } from './social.mail.ts';

/** As it is kept until somebody asks for an account: nothing that opens the provider's doors. */
export type KeptIdentity = Omit<ProvenIdentity, 'claims' | 'tokens'>;

/**
 * Whose account a provider's word opens: the one that the identity is bound to, else the active one whose address the provider has
 * verified, which is bound now and told so by mail. Null: nobody's yet. Whether it may be entered is asked at the door.
 * @throws DomainError identity.emailMissing, emailUnverified, otherCpf, unbound; account.deactivated
 */
export async function accountOfIdentity(tx: Tx, identity: KeptIdentity, from: RequestFacts): Promise<string | null> {
  const linked = await findLinkedUser(tx, identity);
  if (linked !== null) {
    // In single sign-on mode there is no other way in, and none to unbind.
    if (linked.isUnbound && !tx.config.sso) throw new DomainError('identity.unbound');
    await noteIdentityUsed(tx, identity);
    await confirmCpf(tx, linked.userId, identity);
    return linked.userId;
  }
  const user = await findUserByEmail(tx, verifiedEmail(identity));
  if (!user || user.state === 'notActivated') return null;
  // Looked at again while it is held: somebody may be changing its address, or shutting it.
  const held = await lockUser(tx, user.id);
  if (held.state === 'deactivated') throw new DomainError('account.deactivated');
  if (held.state !== 'active' || held.email !== identity.email) return null;
  if (!(await linkIdentity(tx, held.id, identity))) throw new DomainError('request.conflict');
  await confirmCpf(tx, held.id, identity);
  await recordAudit(tx, { kind: 'account.linked', outcome: 'success', reason: identity.provider, accountId: held.id, ip: from.ip });
  const content = identityMail(tx, held.langKey, 'linked', { name: held.firstName, provider: identity.providerName });
  await queueMail(tx, held.email, held.langKey, content);
  return held.id;
}

/** An address is a key to an account: only a verified one counts. @throws DomainError identity.emailMissing, emailUnverified */
export function verifiedEmail({ email, emailVerified }: Pick<ProvenIdentity, 'email' | 'emailVerified'>): string {
  if (email === null) throw new DomainError('identity.emailMissing');
  if (!emailVerified) throw new DomainError('identity.emailUnverified');
  return email;
}

/** What a provider vouches for becomes the account's own; another's CPF than before is another person. @throws DomainError identity.otherCpf */
export async function confirmCpf(tx: Tx, userId: string, { cpf, providerName: by, assurance }: KeptIdentity): Promise<void> {
  if (cpf === null) return;
  const known = await findConfirmedCpfOf(tx, userId);
  if (known && known.cpf !== cpf) throw new DomainError('identity.otherCpf');
  await setConfirmedCpf(tx, userId, { cpf, by, assurance, at: tx.clock.now() });
}
