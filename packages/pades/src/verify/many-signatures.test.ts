import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, withRevision, readAll } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { verifyPdf } from './verify-pdf.ts';

const signer = throwawaySigner('Many', 'p256');

/** The file after each of `counts` signatures. */
async function signedTimes(counts: readonly number[]): Promise<Uint8Array[]> {
  const most = Math.max(...counts);
  const names = Array.from({ length: most }, (_, index) => `s${index}`);
  let bytes: Uint8Array = simplePdf({});
  const results: Uint8Array[] = [];
  const revise = async (make: (pdf: Awaited<ReturnType<typeof openPdf>>) => ReturnType<typeof preparePdf>) => {
    const source = memorySource(bytes);
    bytes = await readAll(withRevision(source, await make(await openPdf(source))));
  };
  await revise((pdf) => preparePdf(pdf, { signatureFields: names.map((name) => ({ name })) }));
  for (const [index, field] of names.entries()) {
    await revise((pdf) => signPdf(pdf, signer, { field, signingTime: new Date() }));
    if (counts.includes(index + 1)) results.push(bytes);
  }
  return results;
}

/** What verifying costs: reads of the source, bytes they gave, and work as the engine itself counts it. */
async function costOf(bytes: Uint8Array, signatures: number): Promise<{ reads: number; bytes: number; work: number }> {
  const cost = { reads: 0, bytes: 0, work: 0 };
  const source = memorySource(bytes);
  const read = (offset: number, length: number) => {
    cost.reads++;
    cost.bytes += length;
    return source.read(offset, length);
  };
  const pdf = await openPdf({ size: source.size, read });
  const report = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at: new Date() });
  assert.deepEqual(
    report.signatures.map(({ reasons }) => reasons.join()),
    Array.from({ length: signatures }, () => 'CHAIN_UNTRUSTED'),
  );
  cost.work = pdf.reader.work.spent;
  return cost;
}

test('twice the signatures cost twice the reading and twice the work, not four times', async () => {
  const [half, whole] = await signedTimes([50, 100]);
  assert.ok(half && whole);
  const [some, many] = [await costOf(half, 50), await costOf(whole, 100)];
  for (const kind of ['reads', 'bytes', 'work'] as const) {
    assert.ok(many[kind] < 2.5 * some[kind], `${kind}: ${some[kind]}, ${many[kind]}`);
  }
});
