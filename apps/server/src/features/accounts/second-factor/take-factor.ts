import type { PasskeyAnswer } from '@lavra/api';
import type { DomainErrorCode } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { TakenFactor } from '../sign-in-proof.ts';
import { backupCodeHash } from './backup-codes.ts';
import {
  findPasskey,
  findTotp,
  hasBackupCode,
  type KeptTotp,
  listPasskeys,
  notePasskeyUse,
  takeBackupCode,
  takeStep,
} from './factors.store.ts';
import { readAnswer } from './passkeys.ts';
import { stepOf } from './totp.ts';

/** One of what an account has, as it was shown. */
export interface ShownFactor {
  code?: string | undefined;
  backupCode?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
}

/** What was shown and holds, or why it does not. */
export type Taken = TakenFactor | { refusal: DomainErrorCode };

/** Looks at a factor that was shown and uses it up: a code is good once, a passkey's answer for what it was asked. The account must be held. */
export async function takeFactor(tx: Ctx, userId: string, shown: ShownFactor, passkeyChallenge: string | null): Promise<Taken> {
  if (shown.passkey) return takePasskey(tx, userId, shown.passkey, passkeyChallenge);
  if (shown.backupCode !== undefined) {
    const hash = backupCodeHash(shown.backupCode);
    const isTaken = hash !== null && (await takeBackupCode(tx, userId, hash));
    return isTaken ? { kind: 'backupCode', id: hash } : { refusal: 'account.backupCodeWrong' };
  }
  const totp = await findTotp(tx, userId);
  if (!totp?.confirmedAt) return { refusal: 'account.codeWrong' };
  const refusal = await refuseCode(tx, userId, totp, shown.code ?? '');
  return refusal ? { refusal } : takenTotp(totp);
}

/** An account has one app; which one, the moment that it was shown says. */
export function takenTotp({ createdAt }: KeptTotp): TakenFactor {
  return { kind: 'totp', id: createdAt.toISOString() };
}

/** Whether the account, which is held, still has what was shown: between the two it may have been removed. */
export async function isStillThere(tx: Ctx, userId: string, { kind, id }: TakenFactor): Promise<boolean> {
  if (kind === 'passkey') return (await listPasskeys(tx, userId)).some((passkey) => passkey.id === id);
  if (kind === 'backupCode') return hasBackupCode(tx, userId, id);
  const totp = await findTotp(tx, userId);
  return totp !== undefined && totp.confirmedAt !== null && takenTotp(totp).id === id;
}

/** Takes an app's code, once (RFC 6238 §5.2); null: it was good. */
export async function refuseCode(tx: Ctx, userId: string, totp: KeptTotp, code: string): Promise<DomainErrorCode | null> {
  const step = stepOf(tx, totp.sealedSecret, code);
  if (step === null) return 'account.codeWrong';
  return (await takeStep(tx, userId, step)) ? null : 'account.codeUsed';
}

async function takePasskey(tx: Ctx, userId: string, answer: PasskeyAnswer, challenge: string | null): Promise<Taken> {
  const passkey = await findPasskey(tx, answer.id);
  if (challenge === null || passkey?.userId !== userId) return { refusal: 'account.passkeyWrong' };
  const use = await readAnswer(tx, passkey, { challenge, alone: false }, answer);
  return use && (await notePasskeyUse(tx, passkey.id, use)) ? { kind: 'passkey', id: passkey.id } : { refusal: 'account.passkeyWrong' };
}
