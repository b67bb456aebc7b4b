import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { acroFormOf, listFields } from '../pdf/form.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { PdfRef, dictOf } from '../pdf/objects.ts';
import { catalogOf, findPage } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { makePdf, simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, qpdf } from '../testing/tools.ts';
import type { PreparationPlan } from './plan.ts';
import { preparePdf } from './prepare-pdf.ts';

const rect = { x: 50, y: 60, width: 150, height: 75 };
const plan: PreparationPlan = {
  signatureFields: [{ name: 'ana', at: { page: 1, rect }, tooltip: 'Assinatura de Ana' }, { name: 'seal' }],
  textFields: [{ name: 'anaBox', at: { page: 1, rect: { ...rect, y: 200 } }, value: 'á' }],
};

async function prepared(bytes: Uint8Array, what: PreparationPlan = plan): Promise<Uint8Array> {
  const source = memorySource(bytes);
  return readAll(withRevision(source, await preparePdf(await openPdf(source), what)));
}

async function reopened(bytes: Uint8Array): Promise<Pdf> {
  return openPdf(memorySource(bytes));
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    assert.ok(error instanceof PadesError, String(error));
    return error.code;
  }
}

const acroForms: Record<string, Parameters<typeof simplePdf>[0]> = {
  'no form': {},
  'a direct form': { catalog: '/AcroForm<</Fields[]/NeedAppearances true>>' },
  'an indirect form': {
    catalog: '/AcroForm 4 0 R',
    more: ['<</Fields[5 0 R]/SigFlags 1>>', '<</FT/Tx/T(old)>>'],
  },
  'a form with an indirect list of fields': {
    catalog: '/AcroForm 4 0 R',
    more: ['<</Fields 5 0 R>>', '[6 0 R]', '<</FT/Tx/T(old)>>'],
  },
};

for (const [name, parts] of Object.entries(acroForms)) {
  for (const form of ['table', 'stream', 'hybrid'] as const) {
    test(`fields join a document with ${name} (${form}); the original is an exact prefix`, async () => {
      const original = simplePdf({ ...parts, form });
      const bytes = await prepared(original);
      assert.deepEqual(bytes.subarray(0, original.length), original);
      const pdf = await reopened(bytes);
      assert.equal(pdf.recovered, false);
      assert.equal(pdf.xrefForm, form === 'stream' ? 'stream' : 'table');
      const names = (await listFields(pdf)).map((field) => field.name);
      const expected = parts?.more ? ['old', 'ana', 'seal', 'anaBox'] : ['ana', 'seal', 'anaBox'];
      assert.deepEqual(names, expected);
      const dict = (await acroFormOf(pdf))?.dict;
      assert.equal(dict?.get('SigFlags'), 3);
      assert.equal(dict?.has('NeedAppearances'), false);
      assert.ok(dictOf((await catalogOf(pdf)).dict.get('Extensions'))?.has('ESIC'));
      const page = await findPage(pdf, 1);
      assert.equal((await pdf.resolveArray(page.dict.get('Annots')))?.length, 3);
      if (await hasTool('qpdf')) assert.equal((await qpdf(bytes)).code, 0);
    });
  }
}

test('a list of annotations shared by two pages does not carry a widget to the other page', async () => {
  const original = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 600 800]>>',
    '<</Type/Page/Parent 2 0 R/Annots 5 0 R>>',
    '<</Type/Page/Parent 2 0 R/Annots 5 0 R>>',
    '[]',
  ]);
  const pdf = await reopened(await prepared(original));
  const [first, second] = [await findPage(pdf, 1), await findPage(pdf, 2)];
  assert.equal((await pdf.resolveArray(first.dict.get('Annots')))?.length, 3);
  assert.equal((await pdf.resolveArray(second.dict.get('Annots')))?.length, 0);
});

test('appended pages keep their own geometry and resources and inherit nothing from their new document', async () => {
  const host = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]/CropBox[0 0 50 50]/Rotate 90/Resources<</Host true>>>>',
    '<</Type/Page/Parent 2 0 R>>',
  ]);
  const guest = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2/MediaBox[0 0 595 842]/Resources 5 0 R>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R/StructParents 0/Annots[7 0 R]>>',
    '<</Length 3>>\nstream\nq Q\nendstream',
    '<</Guest true>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P 3 0 R/Dest[6 0 R/Fit]>>',
  ]);
  const bytes = await prepared(host, {
    appendPages: await reopened(guest),
    signatureFields: [{ name: 'evidence', at: { appendedPage: 1, rect } }],
  });
  const pdf = await reopened(bytes);
  const { pages, pageCount } = await inspectPdf(pdf);
  assert.equal(pageCount, 3);
  assert.deepEqual(
    pages.map((page) => page.visibleBox),
    [
      [0, 0, 50, 50],
      [0, 0, 595, 842],
      [0, 0, 200, 300],
    ],
  );
  assert.deepEqual(
    pages.map((page) => page.rotate),
    [90, 0, 0],
  );
  const second = await findPage(pdf, 2);
  const third = await findPage(pdf, 3);
  assert.ok((await pdf.resolveDict(second.dict.get('Resources')))?.has('Guest'));
  assert.equal(second.dict.has('StructParents'), false);
  const annots = (await pdf.resolveArray(second.dict.get('Annots'))) ?? [];
  assert.equal(annots.length, 2);
  const link = await pdf.resolveDict(annots[0]);
  const page = link?.get('P');
  assert.ok(page instanceof PdfRef && page.num === second.ref.num);
  const target = (await pdf.resolveArray(link?.get('Dest')))?.[0];
  assert.ok(target instanceof PdfRef && target.num === third.ref.num);
  if (await hasTool('qpdf')) assert.equal((await qpdf(bytes)).code, 0);
});

test('refuses what the plan may not do, by code', async () => {
  const original = simplePdf({
    catalog: '/AcroForm<</Fields[4 0 R]>>',
    more: ['<</FT/Tx/T(taken)>>'],
  });
  const named = (name: string) => prepared(original, { signatureFields: [{ name }] });
  assert.equal(await codeOf(named('taken')), 'FIELD_EXISTS');
  assert.equal(await codeOf(named('a.b')), 'INVALID_PLAN');
  const nowhere = prepared(original, { signatureFields: [{ name: 'x', at: { page: 2, rect } }] });
  assert.equal(await codeOf(nowhere), 'PAGE_NOT_FOUND');
});

test('a document that carries a signature gets signature fields and nothing else', async () => {
  const signer = throwawaySigner('Someone');
  const base = memorySource(simplePdf());
  const revision = await signPdf(await openPdf(base), signer, {
    field: { name: 'first' },
    signingTime: new Date(0),
  });
  const signed = await readAll(withRevision(base, revision));
  assert.equal(await codeOf(prepared(signed)), 'CHANGE_NOT_PERMITTED');
  const pages = prepared(signed, { appendPages: await reopened(simplePdf()) });
  assert.equal(await codeOf(pages), 'CHANGE_NOT_PERMITTED');
  const bytes = await prepared(signed, {
    signatureFields: [{ name: 'second', at: { page: 1, rect } }],
  });
  assert.deepEqual(
    (await inspectPdf(await reopened(bytes))).signatures.map(({ name, signed: done }) => [name, done]),
    [
      ['first', true],
      ['second', false],
    ],
  );
});

test('whatever the plan, the original is an exact prefix and every field stands where it was placed', async () => {
  const place = fc.record({
    x: fc.integer({ min: 0, max: 500 }),
    y: fc.integer({ min: 0, max: 700 }),
    width: fc.integer({ min: 1, max: 200 }),
    height: fc.integer({ min: 1, max: 200 }),
  });
  const form = fc.constantFrom('table', 'stream', 'hybrid');
  await fc.assert(
    fc.asyncProperty(fc.array(place, { maxLength: 6 }), form, fc.boolean(), async (places, xref, line) => {
      const original = simplePdf({ form: xref });
      const base = line ? original : original.subarray(0, original.length - 1);
      const fields = places.map((at, index) => ({
        name: `f${index}`,
        at: { page: 1, rect: at },
      }));
      const bytes = await prepared(base, {
        signatureFields: fields,
        textFields: fields.map((field) => ({ ...field, name: `t${field.name}` })),
      });
      assert.deepEqual(bytes.subarray(0, base.length), base);
      const pdf = await reopened(bytes);
      assert.equal(pdf.recovered, false);
      const found = (await listFields(pdf)).slice(0, places.length).map((field) => field.dict.get('Rect'));
      assert.deepEqual(
        found,
        places.map(({ x, y, width, height }) => [x, y, x + width, y + height]),
      );
    }),
    { numRuns: 60 },
  );
});
