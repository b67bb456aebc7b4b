import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { children, encoded, oid, octetString, readDer, sequence, smallInteger, tlv } from '../asn1/der.ts';
import { platformCrypto } from '../crypto.ts';
import { opensslRoot } from '../testing/openssl-authority.ts';
import type { OpensslAuthority, OpensslIssued } from '../testing/openssl-authority.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { parseRevocationList } from './crl.ts';
import { parseOcspResponse } from './ocsp.ts';
import { revocationAt } from './status.ts';
import type { ProofBounds, RevocationProofs } from './status.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl';
const day = 86_400_000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const ago = (days: number) => new Date(now.getTime() - days * day);
const ahead = (days: number) => ago(-days);
const critical = tlv(0x01, Uint8Array.of(255));
const extension = (id: string, value: Uint8Array, isCritical = false) =>
  sequence(oid(id), ...(isCritical ? [critical] : []), octetString(value));
const number = (value: number) => extension('2.5.29.20', smallInteger(value));
const delta = (base: number) => extension('2.5.29.27', smallInteger(base), true);
const point = (...parts: Uint8Array[]) => extension('2.5.29.28', sequence(...parts), true);
const time = (at: Date) => tlv(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));
const ecdsaOver = { sha1: sequence(oid('1.2.840.10045.4.1')), sha256: sequence(oid('1.2.840.10045.4.3.2')) };

interface ListParts {
  entries?: Uint8Array[];
  extensions?: Uint8Array[];
  from?: Date;
  inner?: Uint8Array;
  digest?: 'sha1' | 'sha256';
}

/** A list OpenSSL cannot make, signed with the authority's key. */
async function listOf(
  root: OpensslAuthority,
  { entries = [], extensions = [], from = ago(1), digest = 'sha256', inner = ecdsaOver[digest] }: ListParts,
): Promise<Uint8Array> {
  const { subject } = parseCertificate(root.certificate);
  const named = entries.length === 0 ? [] : [sequence(...entries)];
  const more = extensions.length === 0 ? [] : [tlv(0xa0, sequence(...extensions))];
  const tbs = sequence(smallInteger(1), inner, subject, time(from), time(ahead(1)), ...named, ...more);
  // The authority signs whatever digest node:crypto has; a `Signer` of a document is never asked for SHA-1.
  return sequence(tbs, ecdsaOver[digest], tlv(0x03, Uint8Array.of(0), await root.sign(tbs, digest as 'sha256')));
}

function entry({ certificate }: OpensslIssued, reason: number | null, ...more: Uint8Array[]): Uint8Array {
  const [tbs] = children(readDer(certificate));
  const serial = tbs && children(tbs)[1];
  assert.ok(serial);
  const all = [...(reason === null ? [] : [extension('2.5.29.21', tlv(0x0a, Uint8Array.of(reason)))]), ...more];
  return sequence(encoded(serial), time(ago(5)), ...(all.length === 0 ? [] : [sequence(...all)]));
}

async function statusBy(root: OpensslAuthority, issued: OpensslIssued, ...lists: Uint8Array[]): Promise<string> {
  const proofs = { lists: lists.map((der) => ({ source: 'document' as const, value: parseRevocationList(der) })), responses: [] };
  return (await revocationAt(parseCertificate(issued.certificate), parseCertificate(root.certificate), now, proofs, platformCrypto)).status;
}

test('a delta list counts with its base, and alone only for whom it names (§5.2.4)', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const ana = root.issue('Ana');
  const rui = root.issue('Rui');
  const base = await listOf(root, { extensions: [number(7)], from: ago(9) });
  const stale = { extensions: [number(9), delta(7)], entries: [entry(rui, 1)] };
  const added = await listOf(root, stale);
  assert.equal(await statusBy(root, ana, added), 'unknown');
  assert.equal(await statusBy(root, rui, added), 'revoked');
  assert.equal(await statusBy(root, ana, added, base), 'good');
  assert.equal(await statusBy(root, rui, added, base), 'revoked');
  const older = await listOf(root, { extensions: [number(6)], from: ago(9) });
  const nameless = await listOf(root, { from: ago(9) });
  const partly = await listOf(root, { extensions: [number(7), point(tlv(0x81, Uint8Array.of(255)))], from: ago(9) });
  for (const other of [older, partly, nameless]) {
    // Each is itself in force: what counts is that the delta adds nothing.
    const proofs = [added, other].map((der) => ({ source: 'document' as const, value: parseRevocationList(der) }));
    const answer = await revocationAt(
      parseCertificate(ana.certificate),
      parseCertificate(root.certificate),
      now,
      { lists: proofs, responses: [] },
      platformCrypto,
    );
    assert.deepEqual(answer.thisUpdate, ago(9));
  }
});

test('whom a delta list removes was on hold and is good again; a revoked one stays revoked', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const ana = root.issue('Ana');
  const removed = await listOf(root, { extensions: [number(9), delta(7)], entries: [entry(ana, 8)] });
  const held = await listOf(root, { extensions: [number(7)], entries: [entry(ana, 6)], from: ago(9) });
  const revoked = await listOf(root, { extensions: [number(7)], entries: [entry(ana, 1)], from: ago(9) });
  assert.equal(await statusBy(root, ana, held), 'revoked');
  assert.equal(await statusBy(root, ana, held, removed), 'good');
  assert.equal(await statusBy(root, ana, removed), 'unknown');
  assert.equal(await statusBy(root, ana, revoked, removed), 'revoked');
});

test('a list of some reasons or of other addresses says who is revoked, not who is good (§5.2.5)', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const [ana, rui] = [root.issue('Ana'), root.issue('Rui')];
  const address = (text: string) => tlv(0xa0, tlv(0xa0, tlv(0x86, Buffer.from(text))));
  const scopes = [tlv(0x83, Uint8Array.of(1, 0x40)), address('http://outra.invalid/parte.crl'), tlv(0x82, Uint8Array.of(255))];
  for (const scope of scopes) {
    const list = await listOf(root, { extensions: [point(scope)], entries: [entry(rui, 1)] });
    assert.equal(await statusBy(root, ana, list), 'unknown');
    assert.equal(await statusBy(root, rui, list), 'revoked');
  }
});

test(
  'an indirect list says nothing, nor does one with a critical extension nobody knows, in the list or in any entry',
  { skip },
  async () => {
    const root = opensslRoot('Raiz');
    const [ana, rui] = [root.issue('Ana'), root.issue('Rui')];
    const issuerName = parseCertificate(root.certificate).subject;
    const certificateIssuer = extension('2.5.29.29', sequence(tlv(0xa4, issuerName)), true);
    const cases: ListParts[] = [
      { extensions: [point(tlv(0x84, Uint8Array.of(255)))] },
      { extensions: [point(tlv(0x85, Uint8Array.of(255)))] },
      { extensions: [extension('1.2.3.4', tlv(0x05), true)] },
      { entries: [entry(rui, 1, certificateIssuer)] },
      { entries: [entry(rui, 1), entry(rui, null, extension('1.2.3.4', tlv(0x05), true))] },
      { inner: sequence(oid('1.2.840.10045.4.3.2'), tlv(0x05)) },
    ];
    for (const [index, parts] of cases.entries()) {
      const list = await listOf(root, parts);
      assert.equal(await statusBy(root, ana, list), 'unknown', `${index}`);
      assert.equal(await statusBy(root, rui, list), 'unknown', `${index}`);
    }
    const fine = await listOf(root, {
      entries: [entry(rui, 1, extension('1.2.3.4', tlv(0x05)), extension('2.5.29.24', time(ago(6)), true))],
    });
    assert.equal(await statusBy(root, ana, fine), 'good');
    assert.equal(await statusBy(root, rui, fine), 'revoked');
  },
);

test('a good word signed with SHA-1 counts when it is proven to be older than 2017; a revocation always', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const [ana, rui] = [root.issue('Ana'), root.issue('Rui')];
  const list = parseRevocationList(await listOf(root, { entries: [entry(rui, 1)], digest: 'sha1' }));
  const weak = root.issue('Respondedor', { extensions: `extendedKeyUsage=OCSPSigning`, digest: 'sha1' });
  const word = (der: Uint8Array) => ({ lists: [], responses: [{ source: 'document' as const, value: parseOcspResponse(der) }] });
  const listed = { lists: [{ source: 'document' as const, value: list }], responses: [] };
  const answered = word(root.ocsp(ana, undefined, 'sha1'));
  const delegated = word(root.ocsp(ana, weak));
  const before = { existed: () => new Date('2016-12-31T00:00:00Z'), issuerEnd: null };
  const statusOf = async (issued: OpensslIssued, proofs: RevocationProofs, bounds: ProofBounds | null): Promise<string> => {
    const [certificate, issuer] = [parseCertificate(issued.certificate), parseCertificate(root.certificate)];
    return (await revocationAt(certificate, issuer, now, proofs, platformCrypto, bounds)).status;
  };
  for (const proofs of [listed, answered, delegated]) {
    assert.equal(await statusOf(ana, proofs, before), 'good');
    assert.equal(await statusOf(ana, proofs, { ...before, existed: () => now }), 'unproven');
    assert.equal(await statusOf(ana, proofs, null), 'unproven', 'fetched just now');
  }
  assert.equal(await statusOf(ana, word(root.ocsp(ana)), null), 'good', 'SHA-256');
  assert.equal(await statusOf(rui, listed, null), 'revoked');
});
