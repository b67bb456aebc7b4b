import { isIP } from 'node:net';
import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@lavra/api';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { KeptPasskey } from './factors.store.ts';

/** Three hundred modules, which a start does without: loaded for the first who has a passkey, or wants one. */
const library = () => import('@simplewebauthn/server');

/** Whoever looks for a telephone or a key and types a PIN needs more than the usual minute. */
const TIMEOUT_MS = 180_000;

/**
 * Who we are to a passkey (WebAuthn §5.1.3): the host of the product's address. Null: an IP address, which no browser makes
 * passkeys for.
 */
function partyOf(ctx: Ctx): { rpID: string; origin: string } | null {
  const { hostname, origin } = new URL(ctx.publicUrl);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpID: hostname, origin } : null;
}

export function arePasskeysOffered(ctx: Ctx): boolean {
  return partyOf(ctx) !== null;
}

function party(ctx: Ctx): { rpID: string; origin: string } {
  const found = partyOf(ctx);
  if (!found) throw new DomainError('account.passkeysNotOffered');
  return found;
}

/** The user handle: the account's id, which says nothing of its holder (WebAuthn §14.6.1). */
const handleOf = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex');

/**
 * Asks for one of these passkeys; for any, where none is named: whoever has it says who they are, and shows that it is them.
 * Beside a password the touch of the key is enough.
 */
export async function passkeyRequestOf(ctx: Ctx, passkeys: readonly KeptPasskey[] | null): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: party(ctx).rpID,
    timeout: TIMEOUT_MS,
    userVerification: passkeys === null ? 'required' : 'preferred',
    ...(passkeys === null ? {} : { allowCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })) }),
  });
  return options as PasskeyRequest;
}

/** Asks for a new passkey, on none of the keys that the account has already. */
export async function passkeyCreationOf(
  ctx: Ctx,
  account: { id: string; email: string; firstName: string },
  passkeys: readonly KeptPasskey[],
): Promise<PasskeyCreation> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Lavra',
    rpID: party(ctx).rpID,
    userName: account.email,
    userID: new Uint8Array(handleOf(account.id)),
    userDisplayName: account.firstName,
    timeout: TIMEOUT_MS,
    // Of whose making it is we need not know, and do not ask.
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return options as PasskeyCreation;
}

/** What a new passkey is kept as; null: it does not answer what was asked here. */
export async function readNewPasskey(
  ctx: Ctx,
  expectedChallenge: string,
  made: NewPasskey,
): Promise<Pick<KeptPasskey, 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'synced'> | null> {
  const { rpID, origin } = party(ctx);
  const response = { ...made, clientExtensionResults: {} } as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await library();
  const checked = await orNull(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    }),
  );
  if (!checked?.verified) return null;
  const { credential, credentialDeviceType } = checked.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: made.response.transports ?? [],
    synced: credentialDeviceType === 'multiDevice',
  };
}

/**
 * What a passkey's answer leaves behind; null: it is not by this passkey, not for what was asked here, or its counter went
 * back, which is what a copied key looks like. `alone`: nothing else was shown, so that the passkey must have seen its holder
 * (PIN, finger, face) and must say whose it is.
 */
export async function readAnswer(
  ctx: Ctx,
  passkey: KeptPasskey,
  asked: { challenge: string; alone: boolean },
  answer: PasskeyAnswer,
): Promise<{ signCount: number; synced: boolean } | null> {
  const { rpID, origin } = party(ctx);
  const { userHandle } = answer.response;
  const holder = handleOf(passkey.userId).toString('base64url');
  if (asked.alone ? userHandle !== holder : userHandle && userHandle !== holder) return null;
  const response = {
    ...answer,
    clientExtensionResults: {},
    response: { ...answer.response, userHandle: userHandle ?? undefined },
  } as AuthenticationResponseJSON;
  const { verifyAuthenticationResponse } = await library();
  const checked = await orNull(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: asked.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: asked.alone,
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signCount },
    }),
  );
  if (!checked?.verified) return null;
  const { newCounter, credentialDeviceType } = checked.authenticationInfo;
  return { signCount: newCounter, synced: credentialDeviceType === 'multiDevice' };
}

/** The library throws at whatever does not fit; to us each is the same refusal, and nobody is told which check it was. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
