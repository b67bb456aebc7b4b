/**
 * What signing costs, as ratios to the floor measured in the same run. Floor: the file streamed in 1 MiB chunks through
 * SHA-256 into a new file, one RSA-2048 signature, 16 KiB appended. Signing: open, prepare, RSA-2048 signature, complete,
 * original and revision into a new file, the original while the signature is made. Memory: growth of resident memory over the process before the first file.
 * Floor and signing take turns, three rounds each in a process of its own; the ratio is the median of the rounds', since
 * on a shared machine one process's minute is not another's.
 *
 *     node bench/signing.ts [repetitions, default 15] [others | short]
 *
 * `others` adds the ratios of @libpdf/core and @cantoo/pdf-lib (see `others.ts`), a few repetitions each.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { openPdf, signPdf } from '@lavra/pades';
import { fileSource, writeRevision } from '@lavra/pades/node';
import { makeDocument } from './make-document.ts';
import { signWithCantoo, signWithLibpdf } from './others.ts';
import { throwawaySigner } from '../packages/pades/src/testing/throwaway-signer.ts';

interface Sample {
  milliseconds: number;
  peakMegabytes: number;
}

const chunk = 1 << 20;

/** Not forced to disk in either measure: what is compared is the work, not the disk. */
async function floor(input: string, output: string, key: Parameters<typeof sign>[2]): Promise<void> {
  const source = await open(input);
  const target = await open(output, 'w');
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunk);
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, chunk);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    await target.write(buffer, 0, bytesRead);
  }
  sign('sha256', hash.digest(), key);
  await target.write(Buffer.alloc(16 << 10));
  await Promise.all([source.close(), target.close()]);
}

async function signFile(input: string, output: string, signer: ReturnType<typeof throwawaySigner>): Promise<void> {
  await using source = await fileSource(input);
  const pdf = await openPdf(source);
  const revision = signPdf(pdf, signer, {
    field: { name: 'Signature1', at: { page: 1, rect: { x: 50, y: 50, width: 150, height: 75 } } },
    signingTime: new Date(),
    appearance: { text: 'Assinado digitalmente por:\nJoão da Conceição\nCPF: ***.982.247-**' },
  });
  const target = await open(output, 'w');
  await writeRevision(target, source, revision);
  await target.close();
}

/** Runs one measure in a process of its own, so that memory is that measure's. */
async function child(): Promise<void> {
  const [, , , what, input, output, times] = process.argv;
  if (!what || !input || !output) throw new Error('internal');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signer = throwawaySigner('Bench', 'rsa2048');
  const work: Record<string, () => Promise<void>> = {
    floor: () => floor(input, output, privateKey),
    sign: () => signFile(input, output, signer),
    libpdf: () => signWithLibpdf(input, output, signer),
    cantoo: () => signWithCantoo(input, output, signer),
  };
  const run = work[what];
  if (run === undefined) throw new Error('internal');
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2);
  // Warm: what a process that signs all day sees.
  for (let i = 0; i < Math.max(1, Number(times)); i++) await run();
  const durations: number[] = [];
  for (let i = 0; i < Number(times); i++) {
    const start = performance.now();
    await run();
    durations.push(performance.now() - start);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  clearInterval(timer);
  const milliseconds = durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0;
  process.send?.({ milliseconds, peakMegabytes: (peak - idle) / 1e6 } satisfies Sample);
}

function measure(what: string, input: string, output: string, times: number): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const worker = fork(import.meta.filename, ['child', what, input, output, String(times)], {
      execArgv: ['--expose-gc'],
    });
    worker.once('message', (sample) => resolve(sample as Sample));
    worker.once('exit', (code) => code !== 0 && reject(new Error(`measure ended with ${code}`)));
  });
}

async function main(): Promise<void> {
  const times = Number(process.argv[2] ?? 15);
  const others = process.argv[3] === 'others' ? ['libpdf', 'cantoo'] : [];
  const isShort = process.argv[3] === 'short';
  const directory = await mkdtemp(join(tmpdir(), 'lavra-bench-'));
  const cases = [
    { label: '1 page', pages: 1, padding: 0, objectStreams: false, target: 2.3 },
    { label: '100 pages', pages: 100, padding: 20_000, objectStreams: false, target: 1.2 },
    { label: '5,000 pages', pages: 5000, padding: 0, objectStreams: false, target: 1.4 },
    { label: '5,000 pages, xref stream', pages: 5000, padding: 0, objectStreams: true, target: 1.6 },
    { label: '100 MB', pages: 50, padding: 2_000_000, objectStreams: false, target: 1.1 },
  ];
  console.log(
    'file                        MB     floor ms    sign ms   ratio  target   memory above idle MB (floor)' +
      (others.length > 0 ? '   libpdf   cantoo (ratio, MB)' : ''),
  );
  try {
    for (const item of isShort ? cases.slice(0, 2) : cases) {
      const input = join(directory, 'input.pdf');
      await makeDocument(input, item, (length) => randomBytes(length));
      const { size } = await stat(input);
      const repeat = size > 5e7 ? Math.max(3, Math.floor(times / 4)) : size < 1e5 ? times * 5 : times;
      const output = join(directory, 'output.pdf');
      const rounds: { base: Sample; ours: Sample }[] = [];
      for (let round = 0; round < (isShort ? 1 : 3); round++) {
        rounds.push({ base: await measure('floor', input, output, repeat), ours: await measure('sign', input, output, repeat) });
      }
      const ratio = ({ base, ours }: { base: Sample; ours: Sample }): number => ours.milliseconds / base.milliseconds;
      const middle = rounds.toSorted((a, b) => ratio(a) - ratio(b))[isShort ? 0 : 1];
      if (middle === undefined) throw new Error('internal');
      const { base, ours } = middle;
      const beside: string[] = [];
      for (const other of others) {
        const sample = await measure(other, input, output, size < 1e6 ? repeat : Math.min(repeat, 5));
        beside.push(`${(sample.milliseconds / base.milliseconds).toFixed(1)}x ${sample.peakMegabytes.toFixed(0)}`.padStart(10));
      }
      console.log(
        [
          item.label.padEnd(25),
          (size / 1e6).toFixed(1).padStart(6),
          base.milliseconds.toFixed(2).padStart(11),
          ours.milliseconds.toFixed(2).padStart(10),
          ratio(middle).toFixed(2).padStart(7),
          item.target.toFixed(1).padStart(7),
          `${ours.peakMegabytes.toFixed(0)} (${base.peakMegabytes.toFixed(0)})`.padStart(14),
          ...beside,
        ].join(' '),
      );
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'child' ? child() : main());
