import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { rehearseSigning } from '../rehearse/rehearse-signing.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf } from '../testing/tools.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { acroFormOf } from './form.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { catalogOf } from './pages.ts';

const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(nome)/V(Ana)/DA(/Helv 12 Tf 0 g)/Rect[50 700 200 720]/P 3 0 R/F 4/Ff 1>>';
const xfa = '<</Length 10>>\nstream\n<xdp:xdp/>\nendstream';
const rendering = '/NeedsRendering true';

function form({
  fields = '[4 0 R]',
  catalog = '',
  widget = field,
}: { fields?: string; catalog?: string; widget?: string } = {}): Uint8Array {
  const more = `/AcroForm<</Fields${fields}/XFA 5 0 R/DA(/Helv 0 Tf 0 g)>>${catalog}`;
  return simplePdf({ catalog: more, page: '/Annots[4 0 R]', more: [widget, xfa] });
}

const inspected = async (bytes: Uint8Array) => {
  const { xfa: use, refusal } = await inspectPdf(await openPdf(memorySource(bytes)));
  return [use, refusal];
};

test('a form described in its fields and in XFA is signed, one that only XFA shows is not', async () => {
  assert.deepEqual(await inspected(form()), ['beside', null]);
  assert.deepEqual(await inspected(form({ catalog: rendering })), ['beside', null]);
  assert.deepEqual(await inspected(form({ fields: '[]' })), ['only', 'XFA_ONLY']);
  assert.deepEqual(await inspected(form({ fields: '[]', catalog: rendering })), ['only', 'XFA_ONLY']);
  // Nothing of the form stands on the page that says "please wait".
  assert.deepEqual(await inspected(form({ catalog: rendering, widget: field.replace('50 700 200 720', '0 0 0 0') })), ['only', 'XFA_ONLY']);
  assert.deepEqual(await inspected(form({ catalog: rendering, widget: field.replace('/FT/Tx', '/FT/Sig').replace('/V(Ana)', '') })), [
    'only',
    'XFA_ONLY',
  ]);
});

test('the preparation takes the XFA away: every reader shows the pages that are signed', async () => {
  const source = memorySource(form({ catalog: rendering }));
  await rehearseSigning(await openPdf(source));
  const plan = { signatureFields: [{ name: 'ana' }], dropXfa: true };
  const prepared = withRevision(source, await preparePdf(await openPdf(source), plan));
  const pdf = await openPdf(prepared);
  assert.equal((await acroFormOf(pdf))?.dict.has('XFA'), false);
  assert.equal((await catalogOf(pdf)).dict.has('NeedsRendering'), false);
  assert.equal((await inspectPdf(pdf)).xfa, 'none');
  const signed = withRevision(prepared, await signPdf(pdf, throwawaySigner('Ana'), { field: 'ana', signingTime: new Date(0) }));
  const bytes = await readAll(signed);
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(bytes), { valid: 1, total: 1 });
  if (await hasTool('qpdf')) assert.deepEqual(await qpdf(bytes), { code: 0, pages: 1 });
  const { signatures } = await verifyPdf(await openPdf(signed), { trust: { anchors: [], intermediates: [] }, at: new Date() });
  assert.deepEqual(signatures[0]?.reasons, ['CHAIN_UNTRUSTED']);
});

test('what was signed with its XFA keeps it, and is signed further unless readers would show the XFA', async () => {
  for (const [catalog, refusal] of [
    ['', null],
    [rendering, 'XFA_ONLY'],
  ] as const) {
    const source = memorySource(form({ catalog }));
    const signed = withRevision(
      source,
      await signPdf(await openPdf(source), throwawaySigner('Ana'), { field: { name: 'ana' }, signingTime: new Date(0) }),
    );
    assert.equal((await inspectPdf(await openPdf(signed))).refusal, refusal);
    if (refusal !== null) continue;
    await rehearseSigning(await openPdf(signed));
    const refused = (error: unknown): boolean => error instanceof PadesError && error.code === 'CHANGE_NOT_PERMITTED';
    await assert.rejects(preparePdf(await openPdf(signed), { dropXfa: true }), refused);
  }
});
