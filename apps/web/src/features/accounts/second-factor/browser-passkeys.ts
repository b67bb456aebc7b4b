import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@lavra/api';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

/** What a browser did with a passkey, or the key of the sentence that says why not. */
export type PasskeyOutcome<T> = { made: T } | { fault: string };

export function askBrowser(options: PasskeyRequest): Promise<PasskeyOutcome<PasskeyAnswer>> {
  return outcomeOf(
    async () => (await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })) as PasskeyAnswer,
  );
}

export function makePasskey(options: PasskeyCreation): Promise<PasskeyOutcome<NewPasskey>> {
  return outcomeOf(async () => (await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })) as NewPasskey);
}

async function outcomeOf<T>(act: () => Promise<T>): Promise<PasskeyOutcome<T>> {
  try {
    return { made: await act() };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** Browsers tell little, on purpose: a page must not learn which passkeys there are. */
function faultOf(error: unknown): string {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'passkey.already';
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'passkey.notDone';
  return 'passkey.failed';
}
