import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { PadesError } from '../../errors.ts';
import { openPdf } from '../../open-pdf.ts';
import { preparePdf } from '../../prepare/prepare-pdf.ts';
import { signPdf } from '../../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../../source.ts';
import type { PdfSource } from '../../source.ts';
import { simplePdf } from '../../testing/make-pdf.ts';
import { throwawaySigner } from '../../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf, runWith } from '../../testing/tools.ts';
import { verifyPdf } from '../../verify/verify-pdf.ts';
import { listFields } from '../form.ts';
import { inspectPdf } from '../../inspect/inspect-pdf.ts';
import { decodeText, PdfString } from '../objects.ts';

/** Encrypted files are signed as they are: qpdf makes them, pdfsig, qpdf and poppler judge what became of them. */

const missing = (await hasTool('qpdf')) && (await hasTool('pdfsig')) && (await hasTool('pdftotext')) ? false : 'no qpdf or poppler';
const corpus = resolve(process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../../../../../shared/corpus'), 'pdfs');
const signer = throwawaySigner('Ana');
const at = { page: 1, rect: { x: 50, y: 60, width: 150, height: 40 } };

/** A document with a title and a field, encrypted by qpdf. */
async function encrypted(parameters: readonly string[], user = '', owner = 'dono'): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'pades-'));
  try {
    const catalog = '/AcroForm<</Fields[5 0 R]/DA(/Helv 0 Tf 0 g)>>';
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(nome)/V(Concei\\347\\343o)/Rect[50 700 200 720]/P 3 0 R>>';
    await writeFile(join(directory, 'in.pdf'), simplePdf({ catalog, page: '/Annots[5 0 R]', more: ['<</Title(Contrato)>>', field] }));
    const [bits = '', ...more] = parameters;
    const given = ['--allow-weak-crypto', '--encrypt', user, owner, bits, ...more.filter((one) => !one.startsWith('--object')), '--'];
    execFileSync('qpdf', [
      ...given,
      ...more.filter((one) => one.startsWith('--object')),
      join(directory, 'in.pdf'),
      join(directory, 'out.pdf'),
    ]);
    return new Uint8Array(await readFile(join(directory, 'out.pdf')));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Prepared, signed twice: the second signer's reader sees what the first wrote. */
async function signedTwice(original: Uint8Array, password?: string): Promise<Uint8Array> {
  const open = (source: PdfSource) => openPdf(source, password === undefined ? {} : { password });
  const base = memorySource(original);
  const fields = ['Ana', 'Rui'].map((name) => ({ name, tooltip: `Assinatura de ${name}`, ...(name === 'Ana' ? { at } : {}) }));
  let current = withRevision(base, await preparePdf(await open(base), { signatureFields: fields }));
  for (const field of ['Ana', 'Rui']) {
    const request = { field, signingTime: new Date(0), name: `Sra. ${field}`, appearance: { text: `Assinado por ${field}` } };
    current = withRevision(current, await signPdf(await open(current), signer, request));
  }
  return readAll(current);
}

async function reasonsOf(bytes: Uint8Array, password?: string): Promise<string[]> {
  const pdf = await openPdf(memorySource(bytes), password === undefined ? {} : { password });
  const { signatures } = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at: new Date('2026-06-01') });
  return signatures.map(({ reasons }) => reasons.join());
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  'RC4, 40 bits': ['40'],
  'RC4, 128 bits': ['128', '--use-aes=n'],
  'RC4 in crypt filters': ['128', '--use-aes=n', '--force-V4'],
  'AES-128': ['128', '--use-aes=y'],
  'AES-128, metadata plain': ['128', '--use-aes=y', '--cleartext-metadata'],
  'AES-256 of before the standard': ['256', '--force-R5'],
  'AES-256': ['256'],
  'AES-256 in object streams': ['256', '--object-streams=generate'],
  'AES-128 in object streams': ['128', '--use-aes=y', '--object-streams=generate'],
};

for (const [kind, parameters] of Object.entries(kinds)) {
  test(`an encrypted file that opens without a password is signed as such: ${kind}`, { skip: missing }, async () => {
    const original = await encrypted(parameters);
    const inspection = await inspectPdf(await openPdf(memorySource(original)));
    assert.equal(inspection.refusal, null);
    assert.equal(inspection.encrypted, true);
    const result = await signedTwice(original);
    assert.equal(Buffer.compare(original, result.subarray(0, original.length)), 0);
    const added = Buffer.from(result.subarray(original.length)).toString('latin1');
    // Two letters alone stand in enough encrypted bytes by chance.
    assert.doesNotMatch(
      added,
      /Sra\. |Assinatura de|Helvetica-Assinado|[)>\]] ?T[jJ]\s/,
      'no string and no stream stands there for everybody',
    );
    assert.deepEqual(await pdfsig(result), { valid: 2, total: 1 });
    assert.equal((await qpdf(result)).code, 0);
    const { output } = await runWith('pdftotext', ['{file}', '-'], { file: result });
    assert.match(output, /Assinado por Ana/);
    assert.deepEqual(await reasonsOf(result), ['CHAIN_UNTRUSTED', 'CHAIN_UNTRUSTED']);
    const reopened = await openPdf(memorySource(result));
    const field = (await listFields(reopened)).find(({ name }) => name === 'nome');
    assert.ok(field?.value instanceof PdfString && decodeText(field.value) === 'Conceição');
  });
}

for (const [kind, parameters] of Object.entries({
  'RC4, 128 bits': ['128', '--use-aes=n'],
  'AES-128': ['128', '--use-aes=y'],
  'AES-256': ['256'],
})) {
  test(
    `a file with a password is refused without it and signed with it, the user's or the owner's: ${kind}`,
    { skip: missing },
    async () => {
      const original = await encrypted(parameters, 'segredo');
      for (const password of [undefined, '', 'errado']) {
        const pdf = await openPdf(memorySource(original), password === undefined ? {} : { password });
        assert.equal((await inspectPdf(pdf)).refusal, 'ENCRYPTED');
        await assert.rejects(preparePdf(pdf, {}), (error) => error instanceof PadesError && error.code === 'ENCRYPTED');
      }
      for (const password of ['segredo', 'dono']) {
        const result = await signedTwice(original, password);
        assert.deepEqual(await reasonsOf(result, 'segredo'), ['CHAIN_UNTRUSTED', 'CHAIN_UNTRUSTED']);
        const { output } = await runWith('pdfsig', ['-nocert', '-upw', 'segredo', '{file}'], { file: result });
        assert.equal(output.match(/Signature is Valid/g)?.length, 2);
        assert.doesNotMatch(Buffer.from(result).toString('latin1'), /segredo/);
      }
    },
  );
}

test('what the owner forbids is not done, and the bits that say so are told; the owner may', { skip: missing }, async () => {
  const original = await encrypted(['256', '--modify=none']);
  const pdf = await openPdf(memorySource(original));
  const { refusal, owner } = await inspectPdf(pdf);
  assert.equal(refusal, 'OWNER_FORBIDS');
  assert.deepEqual(owner, { fill: false, change: false, missing: [4, 6, 9], forbidden: [4, 6, 9, 11] });
  const forbidden = (error: unknown): boolean => error instanceof PadesError && error.code === 'OWNER_FORBIDS';
  await assert.rejects(preparePdf(pdf, { signatureFields: [{ name: 'Ana' }] }), forbidden);
  await assert.rejects(signPdf(pdf, signer, { field: { name: 'Ana' }, signingTime: new Date(0) }), forbidden);
  assert.deepEqual(await reasonsOf(await signedTwice(original, 'dono')), ['CHAIN_UNTRUSTED', 'CHAIN_UNTRUSTED']);
});

test('a file whose owner permits filling alone is signed in the field it brings, and gets no other', async (t) => {
  const file = join(corpus, 'dss-protected__edition_protected_signing_allowed_with_field.pdf');
  if (!existsSync(file)) return t.skip(`no corpus at ${corpus}`);
  const source = memorySource(new Uint8Array(readFileSync(file)));
  const inspection = await inspectPdf(await openPdf(source));
  assert.equal(inspection.refusal, null);
  assert.equal(inspection.permits.signatureFields, false);
  const field = inspection.signatures.find(({ signed }) => !signed)?.name ?? '';
  const result = await readAll(withRevision(source, await signPdf(await openPdf(source), signer, { field, signingTime: new Date(0) })));
  assert.deepEqual(await reasonsOf(result), ['CHAIN_UNTRUSTED']);
});

/** Objects written again (or new) in an update, as somebody without the key would. */
function updated(bytes: Uint8Array, objects: Readonly<Record<number, string>>): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] ?? '';
  const trailer = text.slice(text.lastIndexOf('trailer'), text.lastIndexOf('startxref')).replace(/\/Prev \d+/, '');
  let out = text;
  let rows = '';
  for (const [num, value] of Object.entries(objects)) {
    rows += `${num} 1\n${String(out.length).padStart(10, '0')} 00000 n \n`;
    out += `${num} 0 obj\n${value}\nendobj\n`;
  }
  const size = Math.max(Number(/\/Size (\d+)/.exec(trailer)?.[1]), ...Object.keys(objects).map((num) => Number(num) + 1));
  const said = trailer.replace(/\/Size \d+/, `/Size ${size} /Prev ${start}`);
  return new Uint8Array(Buffer.from(`${out}xref\n${rows}${said}startxref\n${out.length}\n%%EOF\n`, 'latin1'));
}

/** The number and the text of the dictionary that says how a file is encrypted. */
function protectionOf(bytes: Uint8Array): { num: number; said: string } {
  const text = Buffer.from(bytes).toString('latin1');
  const num = Number(/\/Encrypt (\d+) 0 R/.exec(text)?.[1]);
  return { num, said: text.split(`\n${num} 0 obj\n`).at(-1)?.split('\nendobj')[0] ?? '' };
}

test('who says otherwise how a signed file is encrypted is not believed', { skip: missing }, async () => {
  const result = await signedTwice(await encrypted(['128', '--use-aes=y']));
  const { num, said } = protectionOf(result);
  const other = said.replace('/StrF /StdCF', '/StrF /Identity');
  assert.notEqual(other, said);
  assert.ok(!(await reasonsOf(updated(result, { [num]: other }))).includes('CHAIN_UNTRUSTED'));
});

test('not even where the word is one that Encrypt only refers to', { skip: missing }, async () => {
  const plain = await encrypted(['128', '--use-aes=y']);
  const { num, said } = protectionOf(plain);
  const [filters = ''] = /<< \/StdCF .*?>> >>/s.exec(said) ?? [];
  assert.notEqual(filters, '');
  const result = await signedTwice(updated(plain, { [num]: said.replace(filters, '90 0 R'), 90: filters }));
  assert.deepEqual(await reasonsOf(result), ['CHAIN_UNTRUSTED', 'CHAIN_UNTRUSTED']);
  const attacked = updated(result, { 90: filters.replace('/AESV2', '/None') });
  assert.ok(!(await reasonsOf(attacked)).includes('CHAIN_UNTRUSTED'));
});
