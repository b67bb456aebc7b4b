import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { listFields } from '../pdf/form.ts';
import type { FieldInfo } from '../pdf/form.ts';
import { PdfName, PdfRef, PdfStream, decodeText, dictOf, isName, latin1Text } from '../pdf/objects.ts';
import type { PdfDict, PdfObject, PdfString } from '../pdf/objects.ts';
import { catalogOf, findPage } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { Revision } from '../source.ts';
import { conformingPdf } from '../testing/conforming.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { redPng } from '../testing/red-png.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import type { Appearance } from '../appearance/appearance.ts';
import { preparePdf } from './prepare-pdf.ts';

const at = { page: 1, rect: { x: 50, y: 60, width: 150, height: 75 } };
const seeThrough = redPng(100);

async function append(base: Uint8Array, revise: (pdf: Pdf) => Promise<Revision>): Promise<Uint8Array> {
  const source = memorySource(base);
  return readAll(withRevision(source, await revise(await openPdf(source))));
}

/** Ana's box, Rui's hidden signature. */
async function prepared(base: Uint8Array, language?: string): Promise<Uint8Array> {
  const signatureFields = [{ name: 'ana', at, tooltip: 'Ana Souza' }, { name: 'rui' }];
  return append(base, (pdf) => preparePdf(pdf, { signatureFields, ...(language ? { language } : {}) }));
}

async function signed(base: Uint8Array, appearance: Appearance): Promise<Pdf> {
  const signer = throwawaySigner('Ana');
  const request = { field: 'ana', signingTime: new Date('2026-01-02T03:04:05Z'), appearance };
  const bytes = await append(await prepared(base), (pdf) => signPdf(pdf, signer, request));
  return openPdf(memorySource(bytes));
}

async function fieldOf(pdf: Pdf, name: string): Promise<FieldInfo> {
  const field = (await listFields(pdf)).find((one) => one.name === name);
  assert.ok(field);
  return field;
}

async function lookOf(pdf: Pdf, name: string): Promise<{ content: string; resources: PdfDict | null }> {
  const { dict } = await fieldOf(pdf, name);
  const look = await pdf.resolve((await pdf.resolveDict(dict.get('AP')))?.get('N'));
  assert.ok(look instanceof PdfStream, `${name} has a look`);
  const content = latin1Text((await pdf.streamData(look)) ?? new Uint8Array(0));
  return { content, resources: await pdf.resolveDict(look.dict.get('Resources')) };
}

async function within(pdf: Pdf, from: PdfObject | undefined, ...path: (string | number)[]): Promise<PdfObject> {
  let value = await pdf.resolve(from);
  for (const key of path) {
    const next: PdfObject | undefined = typeof key === 'number' ? (Array.isArray(value) ? value[key] : undefined) : dictOf(value)?.get(key);
    value = await pdf.resolve(next);
  }
  return value;
}

const rgb = { intent: { components: 3 } } as const;
const partOne = { pdfA: { part: 1, level: 'B' } } as const;
const partTwo = { pdfA: { part: 2, level: 'B' } } as const;

test('black is gray in any file, and a colour stays a colour', async () => {
  const plain = simplePdf();
  assert.match((await lookOf(await signed(plain, { text: 'Ana' }), 'ana')).content, /BT 0 g \/F0/);
  assert.match((await lookOf(await signed(plain, { text: 'Ana', color: [0.1, 0.2, 0.6] }), 'ana')).content, /BT 0.1 0.2 0.6 rg/);
});

test('a file that claims nothing gets the standard font, no look for what is hidden, and no structure', async () => {
  const pdf = await signed(simplePdf(), { text: 'Ana' });
  assert.ok(isName(await within(pdf, (await lookOf(pdf, 'ana')).resources ?? null, 'Font', 'F0', 'Subtype'), 'Type1'));
  const { dict } = await fieldOf(pdf, 'rui');
  assert.equal(dict.has('AP') || dict.has('StructParent') || dict.has('TU'), false);
});

test('in PDF/A every font is inside, in the measures of the standard one, and part 1 is told its glyphs', async () => {
  for (const [parts, hasSet] of [
    [partOne, true],
    [partTwo, false],
  ] as const) {
    const pdf = await signed(conformingPdf({ ...parts, ...rgb }), { text: 'Ana', font: 'COURIER' });
    const descriptor = await within(
      pdf,
      (await lookOf(pdf, 'ana')).resources ?? null,
      'Font',
      'F0',
      'DescendantFonts',
      0,
      'FontDescriptor',
    );
    assert.ok((await within(pdf, descriptor, 'FontFile2')) instanceof PdfStream);
    const set = await within(pdf, descriptor, 'CIDSet');
    // .notdef, A, n, a: four glyphs.
    if (hasSet) assert.deepEqual([...((set instanceof PdfStream && (await pdf.streamData(set))) || [])], [0xf0]);
    else assert.equal(set, null);
  }
});

test('colours are those of the output intent, else of no device', async () => {
  const paints = async (parts: Parameters<typeof conformingPdf>[0], color: [number, number, number]) => {
    const { content, resources } = await lookOf(await signed(conformingPdf(parts), { text: 'Ana', color }), 'ana');
    const space = await within(await openPdf(memorySource(simplePdf())), resources ?? null, 'ColorSpace', 'C0', 0);
    return `${/BT (.*) \/F0/.exec(content)?.[1]} ${space instanceof PdfName ? space.value : ''}`.trim();
  };
  assert.equal(await paints({ ...partTwo, ...rgb }, [0, 0, 1]), '0 0 1 rg');
  assert.equal(await paints({ ...partTwo, intent: { components: 4 } }, [0, 0, 1]), '/C0 cs 0 0 1 sc CalRGB');
  assert.equal(await paints({ ...partTwo, intent: { components: 4 } }, [0, 0, 0]), '0 g');
  assert.equal(await paints(partTwo, [0, 0, 0]), '/C0 cs 0 sc CalGray');
});

test('nothing shines through in part 1: a picture stands on white', async () => {
  const maskOf = async (parts: Parameters<typeof conformingPdf>[0]) => {
    const pdf = await signed(conformingPdf(parts), { image: seeThrough });
    return within(pdf, (await lookOf(pdf, 'ana')).resources ?? null, 'XObject', 'Im0', 'SMask');
  };
  assert.equal(await maskOf({ ...partOne, ...rgb }), null);
  assert.ok((await maskOf({ ...partTwo, ...rgb })) instanceof PdfStream);
  assert.equal(await maskOf(partTwo), null, 'nothing says in which space it would blend');
});

test('in PDF/A a field that is empty or hidden has an empty look', async () => {
  const pdf = await openPdf(memorySource(await prepared(conformingPdf({ ...partOne, ...rgb }))));
  assert.equal((await lookOf(pdf, 'ana')).content, '');
  assert.equal((await lookOf(pdf, 'rui')).content, '');
});

for (const [how, parts] of [
  ['under the element of the document', {}],
  ['under the root, where it has many kids', { flat: true }],
  ['where the parent tree has kids', { treeOfKids: true }],
] as const) {
  test(`in a tagged file a box is a Form element with its tooltip and language, in the order of tabs (${how})`, async () => {
    const pdf = await openPdf(memorySource(await prepared(conformingPdf({ pdfUa: 1, ...parts }), 'en')));
    const root = (await catalogOf(pdf)).dict.get('StructTreeRoot');
    const { ref, dict } = await fieldOf(pdf, 'ana');
    const number = dict.get('StructParent');
    assert.equal(number, 1, 'the next free one');
    const holder = how.startsWith('under the root') ? await within(pdf, root) : await within(pdf, root, 'K', 0);
    const kids = await within(pdf, holder, 'K');
    const element = dictOf(await pdf.resolve(Array.isArray(kids) ? kids.at(-1) : undefined));
    assert.ok(element && isName(element.get('S'), 'Form'), 'the last, behind all that was there');
    assert.equal(decodeText(element.get('Lang') as PdfString), 'en');
    const object = await within(pdf, element, 'K', 'Obj');
    assert.equal(object, await pdf.resolve(ref));
    const listed =
      'treeOfKids' in parts ? await within(pdf, root, 'ParentTree', 'Kids', 1, 'Nums') : await within(pdf, root, 'ParentTree', 'Nums');
    assert.equal(Array.isArray(listed) && dictOf(await pdf.resolve(listed.at(-1))), element);
    assert.equal(await within(pdf, root, 'ParentTreeNextKey'), 2);
    assert.equal(decodeText(dict.get('TU') as PdfString), 'Ana Souza');
    assert.ok(isName((await findPage(pdf, 1)).dict.get('Tabs'), 'S'));
  });
}

test('what is hidden is no part of the structure, has a name to be read, and lies outside of what the page shows', async () => {
  const pdf = await openPdf(memorySource(await prepared(conformingPdf({ pdfUa: 1 }))));
  const { dict } = await fieldOf(pdf, 'rui');
  assert.equal(dict.has('StructParent'), false);
  assert.equal(decodeText(dict.get('TU') as PdfString), 'rui');
});

test('a structure that cannot be added to is left alone, also one that is something else', async () => {
  for (const root of ['9 0 R', '2 0 R']) {
    const broken = simplePdf({ catalog: `/MarkInfo<</Marked true>>/StructTreeRoot ${root}`, pages: '/K 3 0 R' });
    const pdf = await openPdf(memorySource(await prepared(broken)));
    assert.equal((await fieldOf(pdf, 'ana')).dict.has('StructParent'), false);
    assert.ok((await catalogOf(pdf)).dict.get('StructTreeRoot') instanceof PdfRef);
    await findPage(pdf, 1);
  }
});

/** One page that says something and is tagged, as any maker's. */
function taggedPage(): Uint8Array {
  return conformingPdf({ pdfUa: 1 });
}

test('what appended pages say joins the structure of the file: behind what was there, before what speaks of those pages', async () => {
  const from = await openPdf(memorySource(taggedPage()));
  const plan = {
    appendPages: from,
    signatureFields: [
      { name: 'bloco', at: { appendedPage: 1, rect: at.rect } },
      { name: 'ana', at },
    ],
  };
  const pdf = await openPdf(memorySource(await append(taggedPage(), (base) => preparePdf(base, plan))));
  const root = (await catalogOf(pdf)).dict.get('StructTreeRoot');
  const kids = await within(pdf, root, 'K', 0, 'K');
  const types = await Promise.all((Array.isArray(kids) ? kids : []).map((kid) => within(pdf, kid, 'S')));
  assert.deepEqual(
    types.map((type) => type instanceof PdfName && type.value),
    ['Figure', 'Form', 'Document', 'Form'],
  );
  const page = await findPage(pdf, 2);
  const number = page.dict.get('StructParents');
  const numbers = (await within(pdf, root, 'ParentTree', 'Nums')) as PdfObject[];
  const leads = await pdf.resolve(numbers[numbers.indexOf(number ?? -1) + 1]);
  const figure = dictOf(await within(pdf, leads, 0));
  assert.equal(figure, await within(pdf, kids, 2, 'K', 0), 'the content leads to its own element');
  const pageOfFigure = figure?.get('Pg');
  assert.ok(pageOfFigure instanceof PdfRef && pageOfFigure.num === page.ref.num);
  assert.equal(await within(pdf, kids, 2, 'P'), await within(pdf, root, 'K', 0));
  assert.ok(isName(page.dict.get('Tabs'), 'S'));
});

test('appended pages mean the same colours where the file has no output intent for theirs, and no structure where it has none', async () => {
  const coloured = async (parts: Parameters<typeof conformingPdf>[0]) => {
    const from = await openPdf(memorySource(taggedPage()));
    const pdf = await openPdf(memorySource(await append(conformingPdf(parts), (base) => preparePdf(base, { appendPages: from }))));
    const page = await findPage(pdf, 2);
    assert.equal(page.dict.has('StructParents'), false);
    return [...(dictOf(await within(pdf, page.dict, 'Resources', 'ColorSpace'))?.keys() ?? [])];
  };
  assert.deepEqual(await coloured({ ...partTwo, ...rgb }), []);
  assert.deepEqual(await coloured({ ...partTwo, intent: { components: 4 } }), ['DefaultRGB']);
  assert.deepEqual(await coloured(partOne), ['DefaultGray', 'DefaultRGB']);
});

test('who signs a tagged PDF/A in a new box, in an embedded font, leaves the signatures before theirs as they were', async () => {
  const options = { trust: { anchors: [], intermediates: [] }, at: new Date('2026-06-01T00:00:00Z') };
  const first = throwawaySigner('Ana');
  const request = { signingTime: new Date('2026-01-02T03:04:05Z'), appearance: { text: 'Ana', image: seeThrough } };
  const base = await append(conformingPdf({ pdfA: { part: 1, level: 'A' }, ...rgb }), (pdf) =>
    signPdf(pdf, first, { field: { name: 'ana' }, ...request }),
  );
  const second = await append(base, (pdf) => preparePdf(pdf, { signatureFields: [{ name: 'rui', at }], language: 'pt-br' }));
  const both = await append(second, (pdf) => signPdf(pdf, throwawaySigner('Rui'), { field: 'rui', ...request }));
  const { signatures } = await verifyPdf(await openPdf(memorySource(both)), options);
  assert.deepEqual(
    signatures.map(({ reasons }) => reasons),
    [['CHAIN_UNTRUSTED'], ['CHAIN_UNTRUSTED']],
  );
});
