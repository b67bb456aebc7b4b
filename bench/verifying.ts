/**
 * What verifying costs a process that verifies all day (warm, as in `signing.ts`), as ratios to a floor measured in the same run: the file streamed through SHA-256 once, and one
 * RSA-2048 verification for each signature. Verifying: open, every signature's format, digest, CMS, chain, and the review
 * of everything that came after. Nobody is trusted, so that neither CRLs nor timestamps blur the picture.
 *
 *     node bench/verifying.ts [short]
 *
 * The last lines show growth: twice the signatures must take about twice the time, not four times.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPdf, preparePdf, signPdf, verifyPdf } from '@lavra/pades';
import type { PdfSource, Revision } from '@lavra/pades';
import { fileSource, writeRevised } from '@lavra/pades/node';
import { makeDocument } from './make-document.ts';
import { throwawaySigner } from '../packages/pades/src/testing/throwaway-signer.ts';

const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signer = throwawaySigner('Bench', 'rsa2048');
const signature = sign('sha256', Buffer.alloc(64), key.privateKey);

async function floor(path: string, signatures: number): Promise<void> {
  const file = await open(path);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1 << 20);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
  }
  hash.digest();
  for (let i = 0; i < signatures; i++) verify('sha256', Buffer.alloc(64), key.publicKey, signature);
  await file.close();
}

async function verifying(path: string, signatures: number): Promise<void> {
  await using source = await fileSource(path);
  const report = await verifyPdf(await openPdf(source), { trust: { anchors: [], intermediates: [] }, at: new Date() });
  const sound = report.signatures.filter(({ reasons }) => reasons.join() === 'CHAIN_UNTRUSTED');
  if (sound.length !== signatures) throw new Error('not all signatures hold');
}

/** Both by turns, after as many runs that are not counted: on a shared machine one minute is not another. */
async function medians(one: () => Promise<void>, other: () => Promise<void>, times: number): Promise<[number, number]> {
  const timed = async (work: () => Promise<void>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const durations: [number[], number[]] = [[], []];
  for (let i = 0; i < times * 2; i++) {
    const [base, ours] = [await timed(one), await timed(other)];
    if (i < times) continue;
    durations[0].push(base);
    durations[1].push(ours);
  }
  const middle = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
  return [middle(durations[0]), middle(durations[1])];
}

/** Fields for all, then a revision for each signature. */
async function signTimes(directory: string, input: string, signatures: number): Promise<string> {
  let path = input;
  const append = async (name: string, revise: (source: PdfSource) => Promise<Revision>): Promise<void> => {
    await using source = await fileSource(path);
    const next = join(directory, name);
    await writeRevised(next, source, await revise(source));
    if (path !== input) await rm(path);
    path = next;
  };
  const names = Array.from({ length: signatures }, (_, index) => `s${index}`);
  await append('prepared.pdf', async (source) => preparePdf(await openPdf(source), { signatureFields: names.map((name) => ({ name })) }));
  for (const field of names) {
    await append(`${field}.pdf`, async (source) => signPdf(await openPdf(source), signer, { field, signingTime: new Date() }));
  }
  return path;
}

const cases = [
  { label: '1 page', pages: 1, padding: 0, objectStreams: false, signatures: 1 },
  { label: '100 pages', pages: 100, padding: 20_000, objectStreams: false, signatures: 3 },
  { label: '5,000 pages', pages: 5000, padding: 0, objectStreams: false, signatures: 3 },
  { label: '5,000 pages, xref stream', pages: 5000, padding: 0, objectStreams: true, signatures: 3 },
  { label: '100 MB', pages: 50, padding: 2_000_000, objectStreams: false, signatures: 3 },
  { label: '25 signatures', pages: 100, padding: 20_000, objectStreams: false, signatures: 25 },
  { label: '51 signatures', pages: 100, padding: 20_000, objectStreams: false, signatures: 51 },
  { label: '102 signatures', pages: 100, padding: 20_000, objectStreams: false, signatures: 102 },
  { label: '204 signatures', pages: 100, padding: 20_000, objectStreams: false, signatures: 204 },
  { label: '510 signatures', pages: 100, padding: 20_000, objectStreams: false, signatures: 510 },
];

const directory = await mkdtemp(join(tmpdir(), 'lavra-bench-'));
console.log('file                        MB   signatures   floor ms   verify ms   ratio   memory above idle MB');
try {
  // The short mode shows that it runs, not what it costs.
  for (const item of process.argv[2] === 'short' ? cases.slice(0, 2) : cases) {
    const input = join(directory, 'input.pdf');
    await makeDocument(input, item, (length) => randomBytes(length));
    const path = await signTimes(directory, input, item.signatures);
    const { size } = await stat(path);
    const times = size > 5e7 ? 5 : size > 1e5 ? 15 : 75;
    globalThis.gc?.();
    const idle = process.memoryUsage.rss();
    const [base, ours] = await medians(
      () => floor(path, item.signatures),
      () => verifying(path, item.signatures),
      times,
    );
    console.log(
      [
        item.label.padEnd(25),
        (size / 1e6).toFixed(1).padStart(6),
        String(item.signatures).padStart(10),
        base.toFixed(1).padStart(11),
        ours.toFixed(1).padStart(11),
        (ours / base).toFixed(2).padStart(9),
        ((process.memoryUsage.rss() - idle) / 1e6).toFixed(0).padStart(8),
      ].join(' '),
    );
    await rm(path);
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
