import { buildSignedAttributes } from '../cms/signed-attributes.ts';
import { throwawaySigner } from './throwaway-signer.ts';

/** Signed attributes, hexadecimal, that refer to a policy. */
export async function signedAttributesWith(policy: { oid: string; hash: string; uri: string }): Promise<string> {
  const attributes = await buildSignedAttributes({
    messageDigest: new Uint8Array(32),
    digest: 'sha256',
    certificate: throwawaySigner('A').certificate,
    policy: { oid: policy.oid, hash: Uint8Array.from(Buffer.from(policy.hash, 'hex')), digest: 'sha256', uri: policy.uri },
  });
  return Buffer.from(attributes).toString('hex');
}
