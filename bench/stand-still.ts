/**
 * How long the program answers nobody, and how much memory it takes, while strangers send it the worst files we know:
 * the engine's hostile files, streams that inflate five hundredfold, a hundred megabytes of `1 0 obj`, JSON a million deep,
 * and many visitors of one large process. Whether it answers is asked by a process of its own.
 *
 *     node bench/stand-still.ts [short]
 *
 * Ends with a fault above 100 ms without an answer (more than a server that does nothing was kept waiting beside it) or 512 MB
 * more than before; `short`: some of the files, and figures that
 * say nothing but that it works, because other programs may be using the machine.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchedProduct, startBenchedProduct } from './product.ts';
import { hostileFiles } from './hostile-files.ts';
import type { Told } from './prober.ts';
import { residentMegabytes } from './resident.ts';

const MOST_MS = 100;
const MOST_MEGABYTES = 512;
const isShort = process.argv.includes('short');

interface Measured {
  /** Longest time without an answer, and how many were given. */
  longestMs: number;
  /** Without the database and the disk, which health asks. */
  liveMs: number;
  /** Of a server that does nothing, beside it. */
  bareMs: number;
  answers: number;
  megabytes: number;
  outcome: string;
}

/** Of the program and its workers. */
function memoryOf(pid: number): number {
  const { program, workers } = residentMegabytes(pid);
  return program + workers;
}

/** Starts the process that asks whether the program answers. */
async function startProber(url: string): Promise<{ child: ChildProcess; take(): Promise<Told> }> {
  const child = fork(new URL('./prober.ts', import.meta.url), [`${url}/management/health`], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    child,
    async take() {
      const told = once(child, 'message') as Promise<[Told]>;
      child.send('tell');
      return (await told)[0];
    },
  };
}

async function upload({ url, token }: BenchedProduct, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), 'arquivo.pdf');
  return answerOf(fetch(`${url}/api/documents`, { method: 'POST', headers: { authorization: `Bearer ${token()}` }, body: form }));
}

async function answerOf(asking: Promise<Response>): Promise<string> {
  const answer = await asking;
  const text = await answer.text();
  return answer.ok ? 'accepted' : `${answer.status} ${answer.headers.get('x-app-error') ?? text.slice(0, 40)}`;
}

/** JSON as deep as it is long, to calls that nobody needs an account for. */
async function deepJson({ url }: BenchedProduct): Promise<string> {
  const body = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const send = (path: string) =>
    answerOf(fetch(`${url}/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
  const answers = await Promise.all(['api/authenticate', 'api/signature-evidences/initEletronicSignature'].map(send));
  return [...new Set(answers)].join(', ');
}

/** Fifty documents of as many pages as are kept, and visitors who look at them. */
async function largeProcess(product: BenchedProduct, documents: number, visitors: number): Promise<string> {
  const bytes = hostileFiles.manyPages(2000);
  const files: { id: string }[] = [];
  for (let n = 0; n < documents; n += 1) {
    const form = new FormData();
    form.append('files', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), `arquivo-${n}.pdf`);
    files.push(...(await product.call<{ id: string }[]>('POST', 'api/documents', form)));
  }
  const { id } = await product.call<{ id: string }>('POST', 'api/signature-processes', {
    title: 'Muitas páginas',
    dueDate: null,
    reminderIn: null,
    type: 'ELETRONIC_SIGNATURE',
    files: files.map((file) => ({ id: file.id })),
    geolocation: 'optional',
  });
  await product.call('POST', 'api/signers', {
    signer: { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, dueDate: null, signatureProcess: { id } },
    signatureVisibleActive: false,
    visibleSignature: [],
  });
  await product.call('POST', `api/signature-processes/${id}/start`);
  const look = () => fetch(`${product.url}/api/requisitionInformation/${id}`).then(async (answer) => void (await answer.text()));
  await Promise.all(Array.from({ length: visitors }, look));
  return `${documents} documents, ${visitors} visitors`;
}

await using product = await startBenchedProduct();
const prober = await startProber(product.url);
await sleep(2000);
await prober.take();
const idle = memoryOf(product.pid);
console.log(`idle: ${Math.round(idle)} MB`);
console.log(
  'sent                                                             longest ms   liveness   bare server   answers   MB above idle   outcome',
);

async function measure(name: string, act: () => Promise<string>): Promise<Measured> {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, memoryOf(product.pid) - idle)), 40);
  const outcome = await act().catch((error: unknown) => `failed: ${String((error as Error).message).slice(0, 60)}`);
  await sleep(300);
  clearInterval(timer);
  const { longestMs, liveMs, bareMs, answers } = await prober.take();
  console.log(
    [
      name.padEnd(64),
      longestMs.toFixed(0).padStart(10),
      bareMs.toFixed(0).padStart(13),
      String(answers).padStart(9),
      most.toFixed(0).padStart(15),
      `  ${outcome}`,
    ].join(' '),
  );
  return { longestMs, liveMs, bareMs, answers, megabytes: most, outcome };
}

const all: Measured[] = [];
const files = await hostileFiles.all(isShort);
for (const [name, make] of files) {
  const bytes = await make();
  all.push(await measure(name, () => upload(product, bytes)));
}
if (!isShort) {
  const together = await Promise.all(files.slice(-3).map(([, make]) => make()));
  const uploadAll = async () =>
    [...new Set(await Promise.all([...together, ...together].map((bytes) => upload(product, bytes))))].join(', ');
  all.push(await measure('the last three twice, all at once', uploadAll));
}
all.push(await measure('JSON a million deep', () => deepJson(product)));
const [documents, visitors] = isShort ? [2, 20] : [50, 100];
all.push(await measure('documents of 2,000 pages, visited', () => largeProcess(product, documents, visitors)));
prober.child.kill();
const longest = Math.max(...all.map(({ longestMs }) => longestMs));
const most = Math.max(...all.map(({ megabytes }) => megabytes));
console.log(`longest time without an answer: ${longest.toFixed(0)} ms; most memory above idle: ${most.toFixed(0)} MB`);
// What a server that does nothing was kept waiting at the same time is the machine's, not ours.
const isLate = all.some(({ longestMs, bareMs }) => longestMs > MOST_MS + bareMs);
const isOver = all.some(({ answers }) => answers === 0) || (!isShort && (isLate || most > MOST_MEGABYTES));
process.exitCode = isOver ? 1 : 0;
