import { randomUUID } from 'node:crypto';
import type { NewPasskey } from '@lavra/api';
import { cleanLine, DomainError, limits, needsSecondFactor } from '@lavra/domain';
import type { RequestFacts } from '../../../access/actor.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Tx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import type { User } from '../accounts.store.ts';
import type { TakenFactor } from '../sign-in-proof.ts';
import { newBackupCodes } from './backup-codes.ts';
import { countFactors, findPolicy, findTotp, insertPasskey, markTotpConfirmed, replaceBackupCodes } from './factors.store.ts';
import { readNewPasskey } from './passkeys.ts';
import { type FactorNews, factorMail } from './second-factor.mail.ts';
import { refuseCode, type Taken, takenTotp } from './take-factor.ts';

type Refused = Extract<Taken, { refusal: unknown }>;
type Added = { factor: TakenFactor; codes: string[] | null };

/** A passkey's name as it is kept. @throws DomainError text.invisible, record.nameRequired, record.nameTooLong */
export function checkedPasskeyName(text: string): string {
  const name = cleanLine(text, 'name');
  if (name === '') throw new DomainError('record.nameRequired', { field: 'name' });
  if (name.length > limits.nameMax) throw new DomainError('record.nameTooLong', { field: 'name', params: { max: limits.nameMax } });
  return name;
}

/** The app that was shown becomes a factor by its first code. The account must be held. @throws DomainError account.stepEnded: none was shown */
export async function keepTotp(tx: Tx, user: User, code: string, from: RequestFacts): Promise<Added | Refused> {
  const totp = await findTotp(tx, user.id);
  if (!totp || totp.confirmedAt) throw new DomainError('account.stepEnded');
  const refusal = await refuseCode(tx, user.id, totp, code);
  if (refusal) return { refusal };
  const isFirst = await hasNone(tx, user);
  await markTotpConfirmed(tx, user.id);
  await tell(tx, user, 'totpAdded', { kind: 'factor.added', reason: 'totp' }, from);
  return { factor: takenTotp(totp), codes: isFirst ? await giveCodes(tx, user) : null };
}

/** The passkey that was made becomes a factor. The account must be held. @throws DomainError account.passkeyTaken */
export async function keepPasskey(
  tx: Tx,
  user: User,
  made: { passkey: NewPasskey; name: string; challenge: string },
  from: RequestFacts,
): Promise<Added | Refused> {
  const read = await readNewPasskey(tx, made.challenge, made.passkey);
  if (!read) return { refusal: 'account.passkeyWrong' };
  const isFirst = await hasNone(tx, user);
  const id = randomUUID();
  if (!(await insertPasskey(tx, { ...read, id, userId: user.id, name: made.name }))) throw new DomainError('account.passkeyTaken');
  await tell(tx, user, 'passkeyAdded', { kind: 'factor.added', reason: 'passkey' }, from, made.name);
  return { factor: { kind: 'passkey', id }, codes: isFirst ? await giveCodes(tx, user) : null };
}

/**
 * After a factor was deleted: the last one is kept where the installation requires one, and takes its backup codes along where
 * it does not.
 * @throws DomainError account.secondFactorRequired
 */
export async function afterRemoval(
  tx: Tx,
  user: User,
  removed: { reason: 'totp' | 'passkey'; name?: string },
  from: RequestFacts,
): Promise<void> {
  if (await hasNone(tx, user)) {
    if (needsSecondFactor(await findPolicy(tx), user.authorities)) throw new DomainError('account.secondFactorRequired');
    await replaceBackupCodes(tx, user.id, []);
  }
  const news = removed.reason === 'totp' ? 'totpRemoved' : 'passkeyRemoved';
  await tell(tx, user, news, { kind: 'factor.removed', reason: removed.reason }, from, removed.name);
}

/** Ten codes in the place of those of before; shown once. */
export async function giveCodes(tx: Tx, user: User): Promise<string[]> {
  const { codes, hashes } = newBackupCodes();
  await replaceBackupCodes(tx, user.id, hashes);
  return codes;
}

/** Into the security log, and to the account's holder: whoever did it may be somebody else. */
export async function tell(
  tx: Tx,
  user: User,
  news: FactorNews,
  entry: { kind: 'factor.added' | 'factor.removed' | 'factor.used'; reason: string },
  from: RequestFacts,
  passkey = '',
): Promise<void> {
  await recordAudit(tx, { ...entry, outcome: 'success', accountId: user.id, ip: from.ip });
  await queueMail(tx, user.email, user.langKey, factorMail(tx, user, news, { passkey }));
}

async function hasNone(tx: Tx, user: User): Promise<boolean> {
  const { totp, passkeys } = await countFactors(tx, user.id);
  return !totp && passkeys === 0;
}
