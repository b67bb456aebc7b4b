import { constants, generateKeyPairSync, type KeyObject, privateEncrypt } from 'node:crypto';
import { fieldsOf, json, type PscAnswer, type PscRequest, Refusal } from './exchange.ts';
import type { MakeBelievePsc } from './provider.ts';
import type { PscHolder } from './state.ts';
import { assertClient, bearer } from './tokens.ts';

const alias = 'certificado-1';

/** POST /user-discovery. */
export function userDiscovery(psc: MakeBelievePsc, request: PscRequest): PscAnswer {
  const fields = fieldsOf(request);
  assertClient(psc, fields['client_id'], fields['client_secret']);
  const holder = psc.state.holders.get(String(fields['val_cpf_cnpj']));
  const type = holder === undefined || holder.number.length === 11 ? 'CPF' : 'CNPJ';
  if (holder === undefined || fields['user_cpf_cnpj'] !== type) return json({ status: psc.quirks.yes === true ? false : 'N', slots: [] });
  return json({ status: psc.quirks.yes, slots: inList(psc, [{ slot_alias: alias, label: `Certificado em ${psc.id}` }]) });
}

/** GET /certificate-discovery. */
export async function certificateDiscovery(psc: MakeBelievePsc, request: PscRequest): Promise<PscAnswer> {
  const { number } = bearer(psc, request);
  const holder = psc.state.holders.get(number);
  const wanted = request.query.get('certificate_alias');
  if (holder === undefined || psc.behaviour.certificate === 'none' || (wanted !== null && wanted !== alias)) {
    return json({ status: 'N', certificates: [] });
  }
  const certificate = psc.behaviour.certificate === 'garbage' ? 'bm8gY2VydGlmaWNhdGU=' : await written(psc, holder);
  return json({ status: psc.quirks.yes, certificates: inList(psc, [{ alias, certificate }]) });
}

async function written(psc: MakeBelievePsc, holder: PscHolder): Promise<string> {
  const { certificate, chain } = await psc.certificateShown(holder);
  const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${(base64(der).match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
  const ways = {
    base64: () => base64(certificate),
    pem: () => pem(certificate),
    // Without the root, as is usual.
    'pem-chain': () => [certificate, ...chain.slice(0, -1)].map(pem).join(''),
  };
  return ways[psc.quirks.certificate]();
}

/** DigestInfo in front of the hash (RFC 8017 §9.2, note 1), by the hash algorithm's identifier. */
const digestInfo: Record<string, { prefix: string; bytes: number }> = {
  '2.16.840.1.101.3.4.2.1': { prefix: '3031300d060960864801650304020105000420', bytes: 32 },
  '2.16.840.1.101.3.4.2.3': { prefix: '3051300d060960864801650304020305000440', bytes: 64 },
};

interface AskedHash {
  readonly id: string;
  readonly hash: string;
  readonly algorithm: string;
  readonly format: string;
}

/** POST /signature, RAW: PKCS #1 v1.5 over the hash as it was sent. */
export function signature(psc: MakeBelievePsc, request: PscRequest): PscAnswer {
  const token = bearer(psc, request);
  const hashes = askedHashes(request);
  const atOnce = { single_signature: 1, multi_signature: psc.quirks.maxHashes, signature_session: psc.quirks.maxHashes }[token.scope];
  if (atOnce === undefined) throw new Refusal(403, 'insufficient_scope');
  if (hashes.length === 0 || hashes.length > atOnce) throw new Refusal(400, 'invalid_request');
  const holder = psc.state.holders.get(token.number);
  if (holder === undefined) throw new Refusal(400, 'invalid_request');
  const key = psc.behaviour.signatures === 'other-key' ? otherKey() : holder.certificate.key;
  const signatures = hashes.map((asked) => ({ id: asked.id, raw_signature: inWriting(psc, sign(psc, asked, key)) }));
  if (token.scope !== 'signature_session') token.used = true;
  const answered = {
    all: () => signatures,
    'one-less': () => signatures.slice(1),
    'one-more': () => [...signatures, { ...signatures[0], id: 'mais-um' }],
    'wrong-id': () => signatures.map((one) => ({ ...one, id: `${one.id}-outro` })),
  }[psc.behaviour.hashes]();
  // Bare strings have no id that could be wrong.
  const bare = psc.quirks.lists === 'strings' && psc.behaviour.hashes !== 'wrong-id';
  return json({
    certificate_alias: alias,
    signatures: bare ? answered.map(({ raw_signature }) => raw_signature) : inList(psc, answered),
  });
}

function askedHashes(request: PscRequest): AskedHash[] {
  const { hashes } = fieldsOf(request);
  if (!Array.isArray(hashes)) throw new Refusal(400, 'invalid_request');
  return (hashes as Record<string, unknown>[]).map((one) => ({
    id: String(one['id']),
    hash: String(one['hash']),
    algorithm: String(one['hash_algorithm']),
    format: String(one['signature_format']),
  }));
}

function sign(psc: MakeBelievePsc, { hash, algorithm, format }: AskedHash, key: KeyObject): Buffer {
  const info = digestInfo[algorithm];
  const pattern = psc.quirks.hash === 'hex' ? /^([0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+=*$/;
  const bytes = Buffer.from(hash, psc.quirks.hash);
  // A hash in the wrong encoding has the wrong length, as at the true provider.
  if (info === undefined || format !== 'RAW' || !pattern.test(hash) || bytes.length !== info.bytes)
    throw new Refusal(400, 'invalid_request');
  const message = Buffer.concat([Buffer.from(info.prefix, 'hex'), bytes]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, message);
}

function inWriting({ quirks, behaviour }: MakeBelievePsc, value: Buffer): string {
  if (behaviour.signatures === 'garbage') return '<assinatura>';
  const lines = (value.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  const ways = {
    base64: () => value.toString('base64'),
    base64url: () => value.toString('base64url'),
    hex: () => value.toString('hex'),
    lines: () => `${lines}\n`,
    armour: () => `-----BEGIN SIGNATURE-----\n${lines}\n-----END SIGNATURE-----\n`,
  };
  return ways[quirks.signature]();
}

function inList<T>({ quirks }: MakeBelievePsc, items: readonly T[]): readonly T[] | T | undefined {
  return quirks.lists === 'alone' && items.length === 1 ? items[0] : items;
}

let stranger: KeyObject | undefined;
const otherKey = () => (stranger ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
