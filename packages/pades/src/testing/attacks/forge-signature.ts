import { buildSignedAttributes } from '../../cms/signed-attributes.ts';
import { buildSignedData } from '../../cms/signed-data.ts';
import { digestOf, platformCrypto } from '../../crypto.ts';
import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { hexText } from '../../pdf/hex.ts';
import type { AttackSigner } from './world.ts';

/** What a CMS is made from: by the honest, and by those who are not. */
export interface CmsFacts {
  readonly signer: AttackSigner;
  /** The bytes the range covers. */
  readonly signed: Uint8Array;
  readonly messageDigest: Uint8Array;
  /** Somebody else's certificate. */
  readonly stranger: Uint8Array;
}

export type CmsMaker = (facts: CmsFacts) => Promise<Uint8Array>;

export const honestCms: CmsMaker = async ({ signer, messageDigest }) => {
  const signedAttributes = await buildSignedAttributes({ messageDigest, digest: 'sha256', certificate: signer.certificate });
  const signatureValue = await signer.sign(signedAttributes, 'sha256');
  return buildSignedData({ signedAttributes, signatureValue, certificate: signer.certificate, chain: [], digest: 'sha256' });
};

export const rangeHole = '[0 0000000000 0000000000 0000000000]';

/** Contents with room for the CMS; the file has one such hole. */
export function contentsHole(room = 10_000): string {
  return `<${'0'.repeat(room * 2)}>`;
}

export interface SignatureText {
  readonly subFilter?: string;
  /** Added to the dictionary. */
  readonly entries?: string;
}

/** A signature dictionary with its two holes, as text. */
export function signatureText({ subFilter = 'ETSI.CAdES.detached', entries = '' }: SignatureText = {}): string {
  return `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/${subFilter}/M(D:20260304050607Z)${entries}/ByteRange ${rangeHole}/Contents ${contentsHole()}>>`;
}

/** Fills the two holes of a file made by hand. */
export async function fillSignature(file: Uint8Array, signer: AttackSigner, cms: CmsMaker = honestCms): Promise<Uint8Array> {
  const text = latin1Text(file);
  const rangeAt = text.lastIndexOf(rangeHole);
  const start = text.indexOf('<0000000000', rangeAt);
  const end = text.indexOf('>', start) + 1;
  if (rangeAt < 0 || start < 0) throw new Error('no hole to fill');
  const range = `[0 ${start} ${end} ${text.length - end}]`.padEnd(rangeHole.length);
  const closed = latin1Bytes(text.slice(0, rangeAt) + range + text.slice(rangeAt + rangeHole.length));
  const signed = latin1Bytes(latin1Text(closed.subarray(0, start)) + latin1Text(closed.subarray(end)));
  const messageDigest = await digestOf(platformCrypto, 'sha256', signed);
  const der = await cms({ signer, signed, messageDigest, stranger: signer.stranger });
  const hex = hexText(der);
  if (hex.length > end - start - 2) throw new Error('the CMS does not fit');
  closed.set(latin1Bytes(hex), start + 1);
  return closed;
}
