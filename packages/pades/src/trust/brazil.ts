import { digestOf, platformCrypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { IcpBrasilRoot } from '../policies/icp-brasil.ts';
import { hexText } from '../pdf/hex.ts';
import type { TrustAnchor, TrustStore } from './trust-store.ts';

/** SHA-256 of the certificates of ICP-Brasil's roots for people, companies and timestamps, as published by ITI. */
const icpBrasilRoots: Record<string, string> = {
  caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17: 'ICP-Brasil v5',
  d8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01: 'ICP-Brasil v12',
};

/** Expired in 2023: of use for old signatures whose time is proven. */
const icpBrasilHistory: Record<string, string> = {
  fb47d92a9909fd4fa9bec02737543e1f3514ced747407a8d9cfa397b0915067c: 'ICP-Brasil v2',
};

const govBrRoots: Record<string, string> = {
  '163bd003bc0df2beab88174b6d5b450b6e1dc973a64b2dc2a33218544f49ef4e': 'gov.br v1',
};

/**
 * Trust in ICP-Brasil from the certificates of its authorities (ITI's ACcompactado, or a PEM file of them). The list itself
 * proves nothing: only roots whose fingerprint is pinned here become anchors — v5 and v12, with `history` v2 — and v10
 * (TLS) and v11 (code) never do; all others merely help to build chains. Throws CERTIFICATE_INVALID when none is there.
 */
export function icpBrasilTrust(certificates: readonly Uint8Array[], options: { history?: boolean } = {}): Promise<TrustStore> {
  const pinned = options.history ? { ...icpBrasilRoots, ...icpBrasilHistory } : icpBrasilRoots;
  return pinnedTrust(certificates, pinned, ['signature', 'timestamp']);
}

/** Trust in gov.br's advanced signature, in the same way. Throws CERTIFICATE_INVALID. */
export function govBrTrust(certificates: readonly Uint8Array[]): Promise<TrustStore> {
  return pinnedTrust(certificates, govBrRoots, ['signature']);
}

/** Which of ICP-Brasil's pinned roots this certificate (DER) is; null for any other. */
export async function icpBrasilRootOf(certificate: Uint8Array): Promise<IcpBrasilRoot | null> {
  const fingerprint = hexText(await digestOf(platformCrypto, 'sha256', certificate));
  const name = icpBrasilRoots[fingerprint] ?? icpBrasilHistory[fingerprint];
  return name === undefined ? null : (name.replace('ICP-Brasil ', '') as IcpBrasilRoot);
}

async function pinnedTrust(
  certificates: readonly Uint8Array[],
  pinned: Record<string, string>,
  uses: TrustAnchor['uses'],
): Promise<TrustStore> {
  const anchors: TrustAnchor[] = [];
  const intermediates: Uint8Array[] = [];
  for (const certificate of certificates) {
    const name = pinned[hexText(await digestOf(platformCrypto, 'sha256', certificate))];
    if (name === undefined) intermediates.push(certificate);
    else if (!anchors.some((one) => one.name === name)) anchors.push({ certificate, name, uses });
  }
  if (anchors.length === 0) throw new PadesError('CERTIFICATE_INVALID', 'none of the pinned roots is in the list');
  return { anchors, intermediates };
}
