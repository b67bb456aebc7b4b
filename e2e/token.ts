import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { softTokens } from '../apps/local-signer/src/testing/soft-token.ts';
import type { Product } from './product.ts';

/** The make-believe ICP-Brasil of a product, keys included; certificates and keys in base64. */
export function icpBrasilOf(product: Product) {
  return JSON.parse(readFileSync(join(product.dataDir, 'development/icp-brasil.json'), 'utf8')) as {
    authorities: { parent: string | null; certificate: string }[];
    certificates: Record<string, { certificate: string; key: string }>;
  };
}

export const der = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

/** A token in the drawer, with the certificate that this product keeps under the name. */
export function putToken(product: Product, drawer: ReturnType<typeof softTokens>, name: string): { label: string; pin: string } {
  const token = { label: 'Token do Elias', pin: '4321' };
  const { certificate, key } = icpBrasilOf(product).certificates[name] ?? { certificate: '', key: '' };
  drawer.add(token);
  drawer.put(token, {
    certificate: der(certificate),
    key: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }),
  });
  return token;
}
