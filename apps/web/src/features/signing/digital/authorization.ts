import { cancelSigningAttempt, createUrlAuthorizeByPost, findCertificatesByPost, LAVRA_SIGNER } from '@lavra/api';
import { callApi } from '../../../lib/api-client.ts';
import type { Acting, DigitalRequest } from './appearance.ts';
import { browserSecretHash } from './browser-secret.ts';

/** A certificate at a provider: the signer's own, or that of the company which they represent. */
export interface CloudCertificate {
  readonly psc: string;
  readonly holder: 'person' | 'company';
}

/** A provider that was asked to let the signer sign. Survives a reload of the page; holds no CPF. */
export interface Authorization {
  psc: string;
  /** Null: the provider asks on the person's telephone. */
  url: string | null;
  /** Milliseconds of this browser's clock. */
  endsAt: number;
}

const names: Readonly<Record<string, string>> = {
  BIRDID: 'BirdID (Soluti)',
  NEOID: 'NeoID (Serpro)',
  REMOTEID: 'RemoteID (Certisign)',
  SAFEID: 'SafeID (Safeweb)',
  VIDAAS: 'VIDaaS (Valid)',
  DSCLOUD: 'DSCloud (DigitalSign)',
  SYN: 'Syn (Syngular ID)',
};

export function providerName(psc: string): string {
  return names[psc] ?? psc;
}

const keyOf = ({ processId, signerId }: Acting) => `lavra-authorization:${processId}:${signerId}`;

/** The authorisation that this window waits for; null when there is none, or its time is over. */
export function readAuthorization(acting: Acting): Authorization | null {
  const stored = sessionStorage.getItem(keyOf(acting));
  if (!stored) return null;
  const found = JSON.parse(stored) as Authorization;
  if (found.endsAt > Date.now()) return found;
  forgetAuthorization(acting);
  return null;
}

/** For a reload of the page. */
export function keepAuthorization(acting: Acting, made: Authorization): void {
  sessionStorage.setItem(keyOf(acting), JSON.stringify({ ...made, url: made.url && withoutHint(made.url) }));
}

export function forgetAuthorization(acting: Acting): void {
  sessionStorage.removeItem(keyOf(acting));
}

/** Which cloud providers hold a certificate of this CPF, or of the company that its holder represents, and which of them did not answer. @throws ApiError */
export async function findProviders(
  { processId, signerId }: Acting,
  cpf: string,
  signal: AbortSignal,
): Promise<{ found: CloudCertificate[]; unanswered: string[] }> {
  const { availablePscs, companyPscs, unanswered } = await callApi(findCertificatesByPost, { body: { processId, signerId, cpf }, signal });
  const own = availablePscs.filter((psc) => psc !== LAVRA_SIGNER);
  const found = [
    ...own.map((psc) => ({ psc, holder: 'person' as const })),
    ...companyPscs.map((psc) => ({ psc, holder: 'company' as const })),
  ];
  return { found, unanswered };
}

/** Asks the server for the provider's address. @throws ApiError */
export async function authorize({ psc, holder }: CloudCertificate, request: DigitalRequest, signal: AbortSignal): Promise<Authorization> {
  const { processId, signerId, cpf, consentHash, appearance } = request;
  const { url, secondsLeft } = await callApi(createUrlAuthorizeByPost, {
    body: {
      processId,
      signerId,
      userLegalIdentifier: cpf,
      userPsc: psc,
      holder,
      browser: await browserSecretHash(),
      consentHash,
      appearance,
    },
    signal,
  });
  return { psc, url, endsAt: Date.now() + secondsLeft * 1000 };
}

/** OAuth's `login_hint` is the CPF or CNPJ, which is not stored: after a reload the provider asks for it. */
function withoutHint(url: string): string {
  const address = new URL(url);
  address.searchParams.delete('login_hint');
  return address.href;
}

/** Gives up what is being waited for; what is being signed already goes on. @throws ApiError */
export async function giveUp({ processId, signerId }: Acting): Promise<void> {
  await callApi(cancelSigningAttempt, { body: { processId, signerId } });
}
