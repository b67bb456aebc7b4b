import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { oid, sequence, setOf, tlv } from '../asn1/der.ts';
import { certificatesInPem } from '../trust/trust-store.ts';
import { parseCertificate } from './certificate.ts';
import { nameKey, sameName } from './name-match.ts';

const tags = { utf8: 0x0c, printable: 0x13, teletex: 0x14, ia5: 0x16, bmp: 0x1e };
type Kind = keyof typeof tags;
const cn = '2.5.4.3';
const attribute = (kind: Kind, text: string, type = cn) => sequence(oid(type), tlv(tags[kind], Buffer.from(text)));
const name = (...attributes: Uint8Array[]) => sequence(...attributes.map((one) => setOf([one])));
const same = (a: [Kind, string], b: [Kind, string]) => sameName(name(attribute(...a)), name(attribute(...b)));

test('PrintableString and UTF8String compare without regard to case and spaces (RFC 5280 §7.1)', () => {
  assert.ok(same(['printable', 'AC Raiz'], ['utf8', 'ac  RAIZ ']));
  assert.ok(same(['utf8', 'Autoridade Certificação'], ['utf8', ' AUTORIDADE\u00a0CERTIFICAÇÃO']));
  assert.ok(same(['utf8', 'São'], ['utf8', 'Sa\u0303o']), 'composed or not');
  assert.ok(same(['utf8', 'Straße'], ['utf8', 'STRASSE']));
  assert.ok(!same(['utf8', 'AC Raiz'], ['utf8', 'ACRaiz']));
  assert.ok(!same(['utf8', 'Certificação'], ['utf8', 'Certificacao']));
});

test('other strings compare byte for byte, and so does what cannot be prepared', () => {
  for (const kind of ['teletex', 'ia5', 'bmp'] as const) {
    assert.ok(same([kind, 'AC'], [kind, 'AC']));
    assert.ok(!same([kind, 'AC'], [kind, 'ac']), kind);
    assert.ok(!same([kind, 'AC'], ['utf8', 'AC']), kind);
  }
  for (const odd of ['a\u00adc', 'a\u200bc', 'a\u202ec', '\ue000', '\u{1d7d8}\u4e00', 'a\u0000', 'a\tb']) {
    assert.ok(same(['utf8', odd], ['utf8', odd]), JSON.stringify(odd));
    assert.ok(!same(['utf8', `${odd} x`], ['utf8', `${odd}  x`]), JSON.stringify(odd));
  }
  const broken = (byte: number) => name(sequence(oid(cn), tlv(tags.utf8, Uint8Array.of(byte))));
  assert.ok(!sameName(broken(0xc3), broken(0xff)));
  const highPrintable = name(attribute('printable', 'ação'));
  assert.ok(!sameName(highPrintable, name(attribute('printable', 'AÇÃO'))));
});

test('the order of names counts, the order inside one that has several values does not', () => {
  const [a, b] = [attribute('utf8', 'a'), attribute('utf8', 'b', '2.5.4.10')];
  assert.ok(!sameName(name(a, b), name(b, a)));
  assert.ok(sameName(sequence(tlv(0x31, a, b)), sequence(tlv(0x31, b, a))));
  assert.ok(!sameName(sequence(tlv(0x31, a, b)), name(a, b)));
  assert.ok(!sameName(name(a), name(a, a)));
  assert.ok(!sameName(name(a), name(attribute('utf8', 'a', '2.5.4.11'))));
});

test('no text makes two names one: a value cannot pretend to be two', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 3 }), fc.array(fc.string(), { maxLength: 3 }), (a, b) => {
      const make = (texts: string[]) => name(...texts.map((text) => attribute('utf8', text)));
      const equal = nameKey(make(a)) === nameKey(make(b));
      return equal ? a.length === b.length : a.join('|') !== b.join('|') || a.length !== b.length;
    }),
  );
});

test('among ICP-Brasil’s authorities no two names become one', (t) => {
  const file = process.env['LAVRA_ICP_BRASIL_CAS'] ?? resolve(import.meta.dirname, '../../../../../shared/icp-brasil/icp-brasil-cas.pem');
  if (!existsSync(file)) return t.skip(`no list at ${file} (set LAVRA_ICP_BRASIL_CAS)`);
  const all = certificatesInPem(readFileSync(file, 'utf8')).map(parseCertificate);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const byBytes = new Set(all.map(({ subject }) => hex(subject)));
  const byName = new Set(all.map(({ subject }) => nameKey(subject)));
  assert.equal(byName.size, byBytes.size);
  const found = all.filter(({ issuer }) => byName.has(nameKey(issuer)) && !byBytes.has(hex(issuer)));
  t.diagnostic(`${all.length} certificates, ${byName.size} names; found only by comparison: ${found.map(({ serial }) => serial).join()}`);
});
