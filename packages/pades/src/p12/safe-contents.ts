import { PadesError } from '../errors.ts';
import { dotted, implicitOctets, item, items, octets, parse, tagged } from './asn1.ts';
import type { Node } from './asn1.ts';
import { decrypt } from './decrypt.ts';
import { unsupported } from './key-derivation.ts';
import type { Password } from './key-derivation.ts';

const data = '1.2.840.113549.1.7.1';
const encryptedData = '1.2.840.113549.1.7.6';
const envelopedData = '1.2.840.113549.1.7.3';
const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
};
const x509Certificate = '1.2.840.113549.1.9.22.1';
const maxBags = 256;
const maxDepth = 8;

/** What a file holds: DER each, in the order of the file. */
export interface Bags {
  /** PrivateKeyInfo (PKCS #8). */
  readonly keys: Uint8Array[];
  readonly certificates: Uint8Array[];
}

/** Opens every safe of an AuthenticatedSafe (RFC 7292 §4.1). */
export async function openSafes(authenticatedSafe: Uint8Array, password: Password): Promise<Bags> {
  const found: Bags = { keys: [], certificates: [] };
  for (const contentInfo of items(parse(authenticatedSafe)).slice(0, maxBags)) {
    const type = dotted(item(contentInfo, 0));
    const content = tagged(items(contentInfo), 0);
    if (type === envelopedData) throw unsupported('public-key privacy');
    if (type !== data && type !== encryptedData) continue;
    const safe = type === data ? octets(content) : await decryptSafe(content, password);
    await collect(parse(safe), password, found, 0);
  }
  return found;
}

/** EncryptedData (RFC 5652 §8). */
async function decryptSafe(content: Node | undefined, password: Password): Promise<Uint8Array> {
  const info = item(content, 1);
  const [, algorithm, encrypted] = items(info);
  return decrypt(algorithm ?? item(info, 1), implicitOctets(encrypted), password);
}

async function collect(safeContents: Node, password: Password, found: Bags, depth: number): Promise<void> {
  if (depth > maxDepth) throw new PadesError('P12_DAMAGED', 'safes nested too deeply');
  for (const bag of items(safeContents)) {
    if (found.keys.length + found.certificates.length > maxBags) throw new PadesError('P12_DAMAGED', 'too many bags');
    const value = tagged(items(bag), 0);
    if (value === undefined) continue;
    switch (dotted(item(bag, 0))) {
      case bags.key:
        found.keys.push(new Uint8Array(value.toBER(false)));
        break;
      case bags.shroudedKey:
        found.keys.push(await decrypt(item(value, 0), octets(item(value, 1)), password));
        break;
      case bags.certificate:
        if (dotted(item(value, 0)) === x509Certificate) found.certificates.push(octets(tagged(items(value), 0)));
        break;
      case bags.nested:
        await collect(value, password, found, depth + 1);
        break;
    }
  }
}
