import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { listFields } from '../pdf/form.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { dictOf } from '../pdf/objects.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { PdfSource } from '../source.ts';
import { extractSignatures } from '../testing/extract.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import type { XrefForm } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, opensslCades, pdfsig, qpdf } from '../testing/tools.ts';
import type { SignatureRequest } from './request.ts';
import { signPdf } from './sign-pdf.ts';

const signer = throwawaySigner('Ana');
const signingTime = new Date(0);
const widget = '/Type/Annot/Subtype/Widget/Rect[50 60 200 135]/F 132/P 3 0 R';

async function sign(base: PdfSource, field: SignatureRequest['field']): Promise<PdfSource> {
  const revision = await signPdf(await openPdf(base), signer, { field, signingTime, appearance: { text: 'Ana' } });
  return memorySource(await readAll(withRevision(base, revision)));
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof PadesError ? error.code : String(error)),
  );
}

/** poppler looks for V in the widget only, so of a field with a widget of its own it says "not signed": OpenSSL judges all. */
async function judge(file: PdfSource, signed: number, valid = signed): Promise<void> {
  const bytes = await readAll(file);
  const found = extractSignatures(bytes);
  assert.equal(found.length, signed);
  for (const { cms, content } of (await hasTool('openssl')) ? found : []) {
    const { code, output } = await opensslCades(cms, content, [signer.certificate]);
    assert.equal(code, 0, output);
  }
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(bytes), { valid, total: 1 });
  if (await hasTool('qpdf')) assert.equal((await qpdf(bytes)).code, 0);
}

const shapes: Record<string, { name: string; fields: string; annots: string; more: string[] }> = {
  'merged with its widget': { name: 'ana', fields: '4 0 R', annots: '4 0 R', more: [`<</FT/Sig/T(ana)${widget}>>`] },
  'with a widget of its own': {
    name: 'separada',
    fields: '4 0 R',
    annots: '5 0 R',
    more: ['<</FT/Sig/T(separada)/Kids[5 0 R]>>', `<</Parent 4 0 R${widget}>>`],
  },
  'inside another field, its kind inherited': {
    name: 'contrato.assinaturas.ana',
    fields: '4 0 R',
    annots: '6 0 R',
    more: ['<</T(contrato)/FT/Sig/Kids[5 0 R]>>', '<</T(assinaturas)/Parent 4 0 R/Kids[6 0 R]>>', `<</T(ana)/Parent 5 0 R${widget}>>`],
  },
  'with an accent in its name and an empty V': {
    name: 'João',
    fields: '4 0 R',
    annots: '4 0 R',
    more: [`<</FT/Sig/T<FEFF004A006F00E3006F>/V null${widget}>>`],
  },
};

for (const [shape, { name, fields, annots, more }] of Object.entries(shapes)) {
  for (const form of ['table', 'stream', 'hybrid'] satisfies XrefForm[]) {
    test(`an empty field ${shape} is signed where it is (${form}), and a second signer follows`, async () => {
      const base = memorySource(simplePdf({ form, catalog: `/AcroForm<</Fields[${fields}]>>`, page: `/Annots[${annots}]`, more }));
      const once = await sign(base, name);
      assert.equal(await refusal(sign(once, name)), 'FIELD_ALREADY_SIGNED');
      const twice = await sign(once, { name: 'rui' });
      const { signatures } = await inspectPdf(await openPdf(twice));
      assert.deepEqual(
        signatures.map((one) => [one.name, one.signed]),
        [
          [name, true],
          ['rui', true],
        ],
      );
      const shown = (await listFields(await openPdf(once))).find((field) => field.name === name)?.widget?.dict;
      assert.ok(dictOf(shown?.get('AP'))?.has('N'), 'the widget shows the signature');
      await judge(twice, 2, name === 'separada' ? 1 : 2);
    });
  }
}

test('an invisible signature has no appearance and no area', async () => {
  const file = await sign(memorySource(simplePdf()), { name: 'ana' });
  const [field] = await listFields(await openPdf(file));
  assert.deepEqual(field?.dict.get('Rect'), [0, 0, 0, 0]);
  assert.equal(field?.dict.has('AP'), false);
  await judge(file, 1);
});

/** A document certified at a level, as far as a reader of permissions sees it. */
function certified(level: 1 | 2 | 3): PdfSource {
  const reference = `<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>`;
  const signature = `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/Contents<01>/ByteRange[0 1 2 3]/Reference[${reference}]>>`;
  return memorySource(
    simplePdf({
      catalog: '/AcroForm<</Fields[4 0 R 6 0 R]/SigFlags 3>>/Perms<</DocMDP 5 0 R>>',
      page: '/Annots[4 0 R 6 0 R]',
      more: [`<</FT/Sig/T(autor)/V 5 0 R${widget}>>`, signature, `<</FT/Sig/T(ana)${widget}>>`],
    }),
  );
}

test('a certification is respected: level 1 closes the document, 2 and 3 leave the fields that are there', async () => {
  const at = { page: 1, rect: { x: 10, y: 10, width: 90, height: 40 } };
  assert.equal(await refusal(sign(certified(1), 'ana')), 'CERTIFIED_NO_CHANGES');
  for (const level of [2, 3] as const) {
    const file = await sign(certified(level), 'ana');
    assert.equal((await inspectPdf(await openPdf(file))).certification, level);
    assert.equal(await refusal(sign(certified(level), { name: 'rui', at })), 'CHANGE_NOT_PERMITTED');
    await sign(certified(level), { name: 'rui' });
  }
});

test('locks of every kind are respected by the signers that follow', async () => {
  const names = ['ana', 'rui', 'eva'];
  const more = names.map((name) => `<</FT/Sig/T(${name})${widget}>>`);
  const base = memorySource(simplePdf({ catalog: '/AcroForm<</Fields[4 0 R 5 0 R 6 0 R]>>', page: '/Annots[4 0 R 5 0 R 6 0 R]', more }));
  const after = async (lock: { action: 'All' | 'Include' | 'Exclude'; fields: string[] }): Promise<string[]> => {
    const file = await sign(base, { name: 'primeiro', lock: { ...lock, level: null } });
    return Promise.all(names.map((name) => refusal(sign(file, name))));
  };
  assert.deepEqual(await after({ action: 'Include', fields: ['rui'] }), ['none', 'FIELD_LOCKED', 'none']);
  assert.deepEqual(await after({ action: 'Exclude', fields: ['rui'] }), ['FIELD_LOCKED', 'none', 'FIELD_LOCKED']);
  assert.deepEqual(await after({ action: 'All', fields: [] }), ['FIELD_LOCKED', 'FIELD_LOCKED', 'FIELD_LOCKED']);
});
