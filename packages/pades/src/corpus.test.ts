import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { PadesError } from './errors.ts';
import { openPdf } from './open-pdf.ts';
import { inspectPdf } from './inspect/inspect-pdf.ts';
import type { PdfInspection } from './inspect/inspect-pdf.ts';
import type { Pdf } from './pdf/pdf.ts';
import { preparePdf } from './prepare/prepare-pdf.ts';
import { signPdf } from './sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from './source.ts';
import { throwawaySigner } from './testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf } from './testing/tools.ts';
import { verifyPdf } from './verify/verify-pdf.ts';

const corpus = process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../../../shared/corpus');
const signer = throwawaySigner('Corpus');
/** Microseconds of work on one file that count as a hang. */
const hang = 5_000_000;

type Outcome = { kind: 'signed' | 'refused' | 'broken'; cause: string };

/** Field and text field where the document permits them; else the most it permits. */
async function prepareAndSign(pdf: Pdf, inspection: PdfInspection): Promise<Uint8Array> {
  const { permits } = inspection;
  const box = inspection.pages[0]?.visibleBox ?? [0, 0, 100, 100];
  const rect = { x: box[0] + 10, y: box[1] + 10, width: 120, height: 60 };
  const revision = await preparePdf(pdf, {
    signatureFields: [{ name: 'LavraTest', ...(permits.visibleSignatureFields ? { at: { page: 1, rect } } : {}) }],
    textFields: permits.textFields ? [{ name: 'LavraBox', at: { page: 1, rect: { ...rect, y: rect.y + 70 } } }] : [],
  });
  const prepared = withRevision(pdf.source, revision);
  const appearance = { text: 'Assinado por João' };
  const signed = await signPdf(await openPdf(prepared), signer, {
    field: 'LavraTest',
    signingTime: new Date('2026-01-02T03:04:05Z'),
    appearance,
    fills: permits.textFields ? [{ field: 'LavraBox', value: 'João', appearance }] : [],
  });
  return readAll(withRevision(prepared, signed));
}

async function outcomeOf(original: Uint8Array): Promise<Outcome> {
  // Work, not waiting: a busy machine is no hang of ours. The judges' own time does not count.
  const start = process.cpuUsage();
  try {
    const pdf = await openPdf(memorySource(original));
    const inspection = await inspectPdf(pdf);
    if (inspection.refusal !== null) return { kind: 'refused', cause: inspection.refusal };
    const signed = await prepareAndSign(pdf, inspection);
    const { user, system } = process.cpuUsage(start);
    if (user + system > hang) return { kind: 'broken', cause: `signing took ${Math.round((user + system) / 1000)} ms of work` };
    return judge(original, signed);
  } catch (error) {
    if (error instanceof PadesError) return { kind: 'refused', cause: error.code };
    return { kind: 'broken', cause: String((error as Error).stack).slice(0, 400) };
  }
}

async function judge(original: Uint8Array, signed: Uint8Array): Promise<Outcome> {
  const isPrefix = Buffer.compare(original, signed.subarray(0, original.length)) === 0;
  if (!isPrefix) return { kind: 'broken', cause: 'the original is not a prefix' };
  const [sigBefore, sigAfter, before, after] = await Promise.all([pdfsig(original), pdfsig(signed), qpdf(original), qpdf(signed)]);
  if (sigAfter.total !== 1) return { kind: 'broken', cause: `pdfsig: total ${sigAfter.total}` };
  if (sigAfter.valid !== sigBefore.valid + 1) {
    return { kind: 'broken', cause: `pdfsig: valid ${sigBefore.valid} -> ${sigAfter.valid}` };
  }
  // 0 clean, 3 warnings, 2 errors.
  const rank = (code: number): number => [0, 3, 2].indexOf(code);
  if (rank(after.code) > rank(before.code)) {
    return { kind: 'broken', cause: `qpdf: ${before.code} -> ${after.code}` };
  }
  if (before.pages > 0 && before.pages !== after.pages) {
    return { kind: 'broken', cause: `pages: ${before.pages} -> ${after.pages}` };
  }
  const doubts = await ownDoubts(original, signed);
  return doubts === '' ? { kind: 'signed', cause: '' } : { kind: 'broken', cause: `verifyPdf: ${doubts}` };
}

/** What our own verifier holds against the new signature, or newly against those that were there. */
async function ownDoubts(original: Uint8Array, signed: Uint8Array): Promise<string> {
  const options = { trust: { anchors: [], intermediates: [] }, at: new Date('2026-06-01T00:00:00Z') };
  const told = async (bytes: Uint8Array) => {
    const { signatures, documentTimestamps } = await verifyPdf(await openPdf(memorySource(bytes)), options);
    return [...signatures, ...documentTimestamps].map((one) => ({ end: one.end, reasons: one.reasons.join() }));
  };
  const [before, after] = [await told(original), await told(signed)];
  const own = after.find(({ end }) => end === signed.length);
  if (own?.reasons !== 'CHAIN_UNTRUSTED') return `the new signature: ${own?.reasons ?? 'not found'}`;
  // Our box is put where it is put: over a field that says something, that is told. A range that was broken has no end.
  const now = (end: number) => after.find((one) => one.end === end)?.reasons.replace(/BOX_OVER_FIELD,?/, '');
  const worse = before.filter(({ end, reasons }) => end > 0 && now(end) !== reasons);
  return worse.map(({ end, reasons }) => `at ${end} ${reasons} -> ${now(end)}`).join('; ');
}

for (const part of ['pdfs', 'signed']) {
  test(`every file of the corpus (${part}) is signed or refused with its cause, and none is broken`, async (t) => {
    const directory = join(corpus, part);
    if (!existsSync(directory)) return t.skip(`no corpus at ${directory} (set LAVRA_CORPUS)`);
    if (!(await hasTool('pdfsig')) || !(await hasTool('qpdf'))) return t.skip('no pdfsig or qpdf');
    const counts = new Map<string, string[]>();
    const broken: string[] = [];
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.pdf'))) {
      const original = new Uint8Array(readFileSync(join(directory, file)));
      const outcome = await outcomeOf(original);
      if (outcome.kind === 'broken') broken.push(`${file}: ${outcome.cause}`);
      const key = outcome.kind === 'refused' ? `refused ${outcome.cause}` : outcome.kind;
      counts.set(key, [...(counts.get(key) ?? []), file]);
    }
    for (const [key, files] of counts) t.diagnostic(`${key}: ${files.length}`);
    assert.deepEqual(broken, []);
  });
}
