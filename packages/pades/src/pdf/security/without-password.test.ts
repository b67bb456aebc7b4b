import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PadesError } from '../../errors.ts';
import { openPdf } from '../../open-pdf.ts';
import { rehearseSigning } from '../../rehearse/rehearse-signing.ts';
import { preparePdf } from '../../prepare/prepare-pdf.ts';
import { signPdf } from '../../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../../source.ts';
import { makePdf } from '../../testing/make-pdf.ts';
import { throwawaySigner } from '../../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf } from '../../testing/tools.ts';
import { PdfStream } from '../objects.ts';
import type { PdfObject } from '../objects.ts';
import type { Pdf } from '../pdf.ts';
import { spelledObject } from '../serialize.ts';
import { withoutPassword } from './without-password.ts';

/** qpdf locks them; qpdf, poppler and pdfsig judge the copies. */
const missing = (await hasTool('qpdf')) && (await hasTool('pdftoppm')) ? false : 'no qpdf or poppler';
const folder = mkdtempSync(join(tmpdir(), 'pades-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [plainFile, lockedFile, copyFile] = ['plain.pdf', 'locked.pdf', 'copy.pdf'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(nome)/V(Concei\\347\\343o)/Rect[50 700 200 720]/P 3 0 R>>';
const content = 'BT /F1 24 Tf 60 400 Td (Valor: 100,00) Tj ET 10 10 80 80 re f';
const plain = makePdf([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DA(/Helv 0 Tf 0 g)>>/Metadata 7 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>',
  '<</Type/Page/Parent 2 0 R/Annots[4 0 R]/Contents 5 0 R/Resources<</Font<</F1 6 0 R>>>>>>',
  field,
  `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Type/Metadata/Subtype/XML/Length 12>>\nstream\n<x:xmpmeta/>\nendstream',
]);

const ways: readonly (readonly string[])[] = [
  ['40'],
  ['128', '--use-aes=n'],
  ['128', '--use-aes=y'],
  ['128', '--use-aes=y', '--cleartext-metadata'],
  ['256'],
  ['256', '--cleartext-metadata'],
  ['256', '--force-R5'],
];

/** `shape`: how qpdf writes the objects. */
function locked(way: readonly string[], shape: 'disable' | 'generate' = 'disable', original: Uint8Array = plain): Uint8Array {
  writeFileSync(plainFile, original);
  const encryption = ['--allow-weak-crypto', '--encrypt', 'sésamo', 'dono', ...way, '--'];
  execFileSync('qpdf', [...encryption, `--object-streams=${shape}`, plainFile, lockedFile]);
  return new Uint8Array(readFileSync(lockedFile));
}

async function copyOf(bytes: Uint8Array, password: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of withoutPassword(await openPdf(memorySource(bytes), { password }))) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Every object that the file shows, with the data of its streams. */
async function told(pdf: Pdf): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const visit = async (num: number): Promise<void> => {
    if (num === 0 || found.has(num)) return;
    const value = await pdf.object(num);
    found.set(num, await spelled(pdf, value));
    for (const [, next = ''] of spelledObject(value instanceof PdfStream ? value.dict : value).matchAll(/(\d+) \d+ R\b/g))
      await visit(Number(next));
  };
  for (const key of ['Root', 'Info']) await visit(Number(/^\d+/.exec(spelledObject(pdf.trailer.get(key) ?? null))?.[0] ?? 0));
  return found;
}

async function spelled(pdf: Pdf, value: PdfObject): Promise<string> {
  if (!(value instanceof PdfStream)) return spelledObject(value);
  const entries = new Map([...value.dict].filter(([key]) => key !== 'Length'));
  return `${spelledObject(entries)} ${Buffer.from(await pdf.rawStreamData(value)).toString('hex')}`;
}

function drawn(file: string, ...password: string[]): string {
  return execFileSync('pdftoppm', [...password, '-r', '40', file], { maxBuffer: 1 << 26 }).toString('base64');
}

for (const way of ways) {
  test(`a file locked with ${way.join(' ')} becomes one without password that says and shows the same`, { skip: missing }, async () => {
    for (const shape of ['disable', 'generate'] as const) {
      const bytes = locked(way, shape);
      await assert.rejects(copyOf(bytes, 'errada'), (error) => error instanceof PadesError && error.code === 'ENCRYPTED');
      for (const password of ['sésamo', 'dono']) {
        const copy = await copyOf(bytes, password);
        writeFileSync(copyFile, copy);
        assert.deepEqual(await qpdf(copy), { code: 0, pages: 1 });
        assert.equal(drawn(copyFile), drawn(lockedFile, '-opw', 'dono'));
        const [before, now] = [await openPdf(memorySource(bytes), { password }), await openPdf(memorySource(copy))];
        assert.equal(now.encrypted, false);
        assert.deepEqual(await told(now), await told(before));
        assert.doesNotMatch(Buffer.from(copy).toString('latin1'), /\/Encrypt\b|\/Crypt\b/);
      }
    }
  });
}

test('the copy is signed like any other file, and pdfsig says so', { skip: missing || !(await hasTool('pdfsig')) }, async () => {
  const source = memorySource(await copyOf(locked(['256']), 'sésamo'));
  await rehearseSigning(await openPdf(source));
  const prepared = withRevision(source, await preparePdf(await openPdf(source), { signatureFields: [{ name: 'ana' }] }));
  const revision = await signPdf(await openPdf(prepared), throwawaySigner('Ana'), { field: 'ana', signingTime: new Date(0) });
  assert.deepEqual(await pdfsig(await readAll(withRevision(prepared, revision))), { valid: 1, total: 1 });
});

test('where the owner forbids anything, it takes the owner’s password', { skip: missing }, async () => {
  const bytes = locked(['256', '--print=none']);
  const refused = (error: unknown): boolean =>
    error instanceof PadesError && error.code === 'OWNER_FORBIDS' && error.details['bits'] === '3,12';
  await assert.rejects(copyOf(bytes, 'sésamo'), refused);
  assert.deepEqual(await qpdf(await copyOf(bytes, 'dono')), { code: 0, pages: 1 });
});

test('a file that carries signatures keeps its password: they would not be valid in a copy', { skip: missing }, async () => {
  const source = memorySource(locked(['256']));
  const password = 'dono';
  const revision = await signPdf(await openPdf(source, { password }), throwawaySigner('Ana'), {
    field: { name: 'ana' },
    signingTime: new Date(0),
  });
  const signed = await readAll(withRevision(source, revision));
  await assert.rejects(copyOf(signed, password), (error) => error instanceof PadesError && error.code === 'CHANGE_NOT_PERMITTED');
});

test('a file without password is none to open', async () => {
  await assert.rejects(copyOf(plain, ''), (error) => error instanceof PadesError && error.code === 'INVALID_PLAN');
});
