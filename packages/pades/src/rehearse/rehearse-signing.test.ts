import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PadesError } from '../errors.ts';
import { extendPdf } from '../extend/extend-pdf.ts';
import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { latin1Bytes, latin1Text } from '../pdf/objects.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, withRevision } from '../source.ts';
import { makeBases } from '../testing/attacks/bases.ts';
import { mutations } from '../testing/attacks/mutations.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { fileKinds } from '../testing/file-kinds.ts';
import { makePdf, simplePdf } from '../testing/make-pdf.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { rehearseSigning } from './rehearse-signing.ts';
import { isUsual, usualPlan } from './usual-plan.ts';

const world = await attackWorld();
const bases = await makeBases(world);

async function refusalOf(bytes: Uint8Array): Promise<string | null> {
  try {
    await rehearseSigning(await openPdf(memorySource(bytes)));
    return null;
  } catch (error) {
    if (error instanceof PadesError) return error.code;
    throw error;
  }
}

test('every plain shape of file passes the rehearsal, signed ones too', async () => {
  const { table, stream, both, certified2, certified3, archived, compressed } = bases;
  for (const [name, bytes] of Object.entries({ ...fileKinds, table, stream, both, certified2, certified3, archived, compressed }))
    assert.equal(await refusalOf(bytes), null, name);
});

test('what our verifier would not pass when all have signed is refused before anybody does', async () => {
  // The page is the page tree too: whoever writes it anew writes both.
  const twoRoles = makePdf([
    '<</Type/Catalog/Pages 3 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<<>>>>',
  ]);
  assert.equal((await inspectPdf(await openPdf(memorySource(twoRoles)))).refusal, null);
  assert.equal(await refusalOf(twoRoles), 'NOT_VERIFIABLE');
});

test('a file whose signatures lock it against others says so', async () => {
  assert.equal(await refusalOf(bases.certified1), 'CERTIFIED_NO_CHANGES');
});

// Numbers that this file does not use, and speaks of.
const spoken = Array.from({ length: 60 }, (_, index) => 5 + index);

test('a reference that leads to nothing never leads to what is signed behind it', async () => {
  const refs = spoken.map((num, index) => `/X${index} ${num} 0 R`).join(' ');
  await signsAndPasses(simplePdf({ page: `/Annots[] /Extra<<${refs}>>` }));
});

test('nor does one that only some readers find', async () => {
  const refs = spoken.map((num) => `/X ${num} 0 R`).join(' ');
  await signsAndPasses(simplePdf({ page: '/Annots[] /Extra 4 0 R', more: [`<<${refs}/X 3 0 R>>`] }));
});

async function signsAndPasses(bytes: Uint8Array): Promise<void> {
  assert.equal(await refusalOf(bytes), null);
  const source = memorySource(bytes);
  const revision = await preparePdf(await openPdf(source), { signatureFields: [{ name: 'ana' }, { name: 'rui' }] });
  let file = withRevision(source, revision);
  for (const [field, signer] of [
    ['ana', world.ana],
    ['rui', world.rui],
  ] as const)
    file = withRevision(file, await signPdf(await openPdf(file), signer, { field, signingTime: world.at }));
  const { revocations, timestamps } = world;
  file = withRevision(file, await extendPdf(await openPdf(file), 'B-LTA', { timestamps, revocations, at: world.at }));
  assert.equal((await verifyPdf(await openPdf(file), world.options)).indication, 'TOTAL-PASSED');
}

test('a file has room for everybody who may sign it, not for the two of a rehearsal alone', async () => {
  const plain = simplePdf({});
  const grown = (sections: number) => {
    let text = latin1Text(plain);
    let prev = Number(/startxref\s+(\d+)/.exec(text)?.[1]);
    for (let count = 0; count < sections; count++) {
      const start = text.length;
      text += `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Size 4/Prev ${prev}>>\nstartxref\n${start}\n%%EOF\n`;
      prev = start;
    }
    return latin1Bytes(text);
  };
  assert.equal(await refusalOf(grown(1900)), null);
  assert.equal(await refusalOf(grown(1990)), 'TOO_COMPLEX');
  const stored = `[${'4 0 R '.repeat(10_001)}]`;
  assert.equal(await refusalOf(simplePdf({ catalog: `/DSS<</Certs${stored}>>`, more: ['null'] })), 'TOO_COMPLEX');
});

test('the fields of all who will sign are there, though two sign', async () => {
  const inspection = await inspectPdf(await openPdf(memorySource(simplePdf())));
  const signatureFields = Array.from({ length: 20 }, (_, index) => ({ name: `s${index}` }));
  const { plan, signers } = await usualPlan(inspection, 'r', { signatureFields });
  assert.ok((plan.signatureFields?.length ?? 0) >= signatureFields.length);
  assert.equal(signers.length, 2);
});

test('a plan is as usual where a rehearsal has done all of it: for two at most, with boxes on pages of its own and nothing on the file’s, which has no structure to be joined', () => {
  const rect = { x: 9, y: 9, width: 90, height: 24 };
  const fields = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `s${index}` }));
  const own = { name: 'x', signer: 's0', at: { appendedPage: 1, rect } };
  const plain = { tagged: false };
  const placed = { name: 'x', signer: 's0', at: { page: 1, rect } };
  assert.equal(isUsual(plain, { signatureFields: fields(2), textFields: [own] }), true);
  assert.equal(isUsual({ tagged: true }, { signatureFields: fields(1) }), false);
  assert.equal(isUsual(plain, { signatureFields: fields(3) }), false);
  assert.equal(isUsual(plain, { signatureFields: fields(1), textFields: [own, own, own] }), false);
  assert.equal(isUsual(plain, { signatureFields: fields(1), textFields: [placed] }), false);
  assert.equal(isUsual(plain, { signatureFields: [{ name: 's0', at: { page: 1, rect } }] }), false);
});

test('what passes the rehearsal passes when it is signed in another way, whatever was done to the file', async () => {
  const starts = Object.values(bases);
  const property = fc.asyncProperty(mutations, fc.nat(), fc.integer({ min: 0, max: 7 }), async (steps, which, boxes) => {
    const bytes = steps.reduce((current, step) => step.apply(current), starts[which % starts.length] ?? new Uint8Array());
    if ((await refusalOf(bytes).catch(() => 'unreadable')) !== null) return;
    const reasons = await heldAgainst(bytes, boxes);
    assert.deepEqual(reasons, [], steps.map(({ name }) => name).join(', then '));
  });
  await fc.assert(property, { seed: 20261122, numRuns: 40 });
});

/** Signed by one, with other boxes than the rehearsal's, and sealed with a timestamp of its own. */
async function heldAgainst(bytes: Uint8Array, boxes: number): Promise<string[]> {
  const source = memorySource(bytes);
  const pdf = await openPdf(source);
  const { permits } = await inspectPdf(pdf, { maxPages: 1 });
  const names = permits.textFields ? Array.from({ length: boxes }, (_, index) => `zz${index}`) : [];
  const at = (row: number) => ({ page: 1, rect: { x: 100, y: 100 + 40 * row, width: 80, height: 30 } });
  const revision = await preparePdf(pdf, {
    signatureFields: [{ name: 'zza' }, { name: 'zzb' }],
    textFields: names.map((name, row) => ({ name, at: at(row), signer: 'zzb' })),
  });
  let file = withRevision(source, revision);
  const ends: number[] = [];
  for (const [field, fills] of [
    ['zza', []],
    ['zzb', names],
  ] as const) {
    const filled = fills.map((name) => ({ field: name, value: 'x', appearance: { text: 'x' } }));
    file = withRevision(file, await signPdf(await openPdf(file), world.ana, { field, signingTime: world.at, fills: filled }));
    ends.push(file.size);
  }
  const { revocations, timestamps } = world;
  file = withRevision(file, await extendPdf(await openPdf(file), 'B-LTA', { timestamps, revocations, at: world.at }));
  const { signatures } = await verifyPdf(await openPdf(file), world.options);
  return ends.flatMap((end): readonly string[] => signatures.find((one) => one.end === end)?.reasons ?? ['MISSING']);
}
