import type { PasskeyAnswer } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Opened } from '../../../access/entrance.ts';
import { recordRefusal } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { lockUser } from '../accounts.store.ts';
import { provenDevice } from '../devices.store.ts';
import { openProvenSession } from '../open-session.ts';
import { challengeHash } from './ask-second-step.ts';
import { deleteChallenge, holdChallenge } from './challenges.store.ts';
import { findPasskey, notePasskeyUse } from './factors.store.ts';
import { readAnswer } from './passkeys.ts';

/**
 * Signs in with a passkey alone: it says whose it is, and has seen its holder (PIN, finger, face). What was asked is good once,
 * whatever was answered.
 * @throws DomainError account.stepEnded, passkeyWrong; what the door refuses
 */
export async function finishPasskeySignIn(
  ctx: Ctx,
  actor: Visitor,
  input: { challenge: string; passkey: PasskeyAnswer; rememberMe: boolean; device: DeviceClaim | null },
): Promise<Opened> {
  const passkey = await findPasskey(ctx, input.passkey.id);
  const deviceId = await provenDevice(ctx, input.device);
  const shown = await ctx.transaction(async (tx) => {
    if (passkey) await lockUser(tx, passkey.userId);
    const holder = { tokenHash: challengeHash(input.challenge), purpose: 'passkeySignIn', deviceId } as const;
    const asked = deviceId === null ? undefined : await holdChallenge(tx, holder);
    if (!asked) throw new DomainError('account.stepEnded');
    await deleteChallenge(tx, asked.tokenHash);
    // As it stands now: another use may have moved its counter, and it may be gone.
    const held = passkey && (await findPasskey(tx, passkey.credentialId));
    const use = held && (await readAnswer(tx, held, { challenge: asked.passkeyChallenge ?? '', alone: true }, input.passkey));
    return held && use && (await notePasskeyUse(tx, held.id, use)) ? held : null;
  });
  if (shown === null) {
    const refused = {
      kind: 'session.opened',
      outcome: 'refused',
      reason: 'account.passkeyWrong',
      accountId: passkey?.userId ?? null,
    } as const;
    await recordRefusal(ctx, { ...refused, ip: actor.from.ip });
    throw new DomainError('account.passkeyWrong');
  }
  const proof = { by: 'passkey', passkey: { kind: 'passkey', id: shown.id } } as const;
  return openProvenSession(ctx, actor, { userId: shown.userId, proof, remember: input.rememberMe, device: input.device });
}
