/**
 * Where the processor time of a whole job goes: program and worker processes are profiled over warm jobs of one page, one after the
 * other, and the samples are put together by what they were for.
 *
 *     node bench/profile.ts [jobs, default 60]     (short: 1)
 */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDocument } from './make-document.ts';
import { startBenchedProduct } from './product.ts';
import { wholeJob } from './whole-job.ts';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

/** What a sample is counted for: the first that fits, from the innermost frame outwards; the pattern is asked of `url#function`. */
const groups: readonly [string, RegExp][] = [
  ['nothing (waits)', /^#\(idle\)$/],
  ['garbage', /^#\(garbage collector\)$/],
  ['loading of modules', /node:internal\/modules|#compileFunction|#wrapSafe|amaro|#stripTypes/],
  ['inflate, deflate', /node:zlib|pdf\/(in|de)flate\.ts/],
  ['letters (fontkit)', /node_modules\/(@pdf-lib\/)?fontkit|paper\/(own-)?letters|restructure/],
  ['drawing (qrcode, paper)', /node_modules\/(qrcode|linebreak)|server\/src\/paper\//],
  ['rehearsal', /pades\/src\/rehearse\//],
  ['verifying', /pades\/src\/verify\/|pades\/src\/trust\//],
  ['certificates (x509)', /pades\/src\/x509\/|@peculiar|asn1-schema|pkijs|features\/authority\//],
  ['DER, CMS, timestamps', /pades\/src\/(asn1|cms|timestamp|revocation)\/|make-believe/],
  ['PDF reading and writing', /pades\/src\//],
  ['digests, keys', /node:internal\/crypto|node:crypto/],
  ['database driver, SQL', /node_modules\/(pg|pg-protocol|pg-pool|kysely|postgres-\w+|pg-boss)\/|server\/src\/db\/|server\/src\/jobs\//],
  ['shapes (zod)', /node_modules\/zod/],
  [
    'requests (fastify, busboy)',
    /node_modules\/(fastify|@fastify|find-my-way|busboy|light-my-request|avvio|secure-json)|server\/src\/http\//,
  ],
  ['log', /node_modules\/(pino|sonic-boom|thread-stream)/],
  ['mail', /node_modules\/nodemailer|server\/src\/mail\//],
  ['network of node', /node:(internal\/)?(net|http|_http|stream|tls|undici|deps\/undici|dgram|dns)|node:_http/],
  ['files', /node:(internal\/)?fs|server\/src\/storage\//],
  ['between processes', /node:internal\/child_process|node:v8|node:internal\/serdes|server\/src\/workers\//],
  ['timers, promises', /node:internal\/(timers|process|async|promise|event)|node:(timers|events|diagnostics)/],
  ['our use cases', /server\/src\/|packages\//],
];

const jobs = Number(process.argv[2] ?? 60);
/** Frames and statements that are told of each. */
const TOLD = 45;
const STATEMENTS_TOLD = 120;
const LETTERS = 150;
const folder = process.env['BENCH_PROFILES'] ?? join(import.meta.dirname, '../test-results/profiles');
await mkdir(folder, { recursive: true });
process.env['BENCH_PROFILES'] = folder;
await using product = await startBenchedProduct({ node: ['--import', join(import.meta.dirname, 'profiler.mjs')] });
const path = join(product.directory, 'input.pdf');
await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
const pdf = new Uint8Array(await readFile(path));
for (let n = 0; n < Math.min(20, jobs); n += 1) await wholeJob(product, pdf);
const client = await product.connect();
await client.query('select pg_stat_statements_reset()');
const begun = new Date();
process.kill(product.pid, 'SIGUSR2');
await sleep(300);
for (let n = 0; n < jobs; n += 1) await wholeJob(product, pdf);
process.kill(product.pid, 'SIGUSR2');
await sleep(3000);

const { rows: asked } = await client.query<{ calls: number; ms: number; query: string }>(
  `select calls::int, total_exec_time + total_plan_time as ms, query from pg_stat_statements order by calls desc, query`,
);
await client.end();
console.log(`\nstatements of a job, milliseconds of the database: ${(asked.reduce((sum, { calls }) => sum + calls, 0) / jobs).toFixed(1)}`);
for (const { calls, ms, query } of asked.slice(0, STATEMENTS_TOLD))
  console.log(
    `${(calls / jobs).toFixed(2).padStart(7)} ${(ms / jobs).toFixed(2).padStart(7)}  ${query.replace(/\s+/g, ' ').slice(0, LETTERS)}`,
  );

for (const name of (await readdir(folder)).filter((one) => one.endsWith('.json'))) {
  if ((await stat(join(folder, name))).mtime < begun) continue;
  tell(name, JSON.parse(await readFile(join(folder, name), 'utf8')) as Profile);
}

interface Told {
  byGroup: Map<string, number>;
  byFrame: Map<string, { self: number; total: number }>;
}

function spelled({ callFrame: { url, functionName } }: ProfileNode): string {
  return `${url}#${functionName}`;
}

function add({ byFrame }: Told, chain: readonly ProfileNode[], ms: number): void {
  const seen = new Set<string>();
  for (const [depth, node] of chain.entries()) {
    const key = `${spelled(node).replace(/^.*\/(node_modules|src)\//, '')}:${node.callFrame.lineNumber + 1}`;
    const one = byFrame.get(key) ?? { self: 0, total: 0 };
    if (depth === 0) one.self += ms;
    if (!seen.has(key)) one.total += ms;
    seen.add(key);
    byFrame.set(key, one);
  }
}

function read({ nodes, samples, timeDeltas }: Profile): Told {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const told: Told = { byGroup: new Map(), byFrame: new Map() };
  const chainOf = (id: number): ProfileNode[] => {
    const chain: ProfileNode[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) chain.push(byId.get(at) as ProfileNode);
    return chain;
  };
  const each = new Map<number, number>();
  for (const [index, sample] of samples.entries()) each.set(sample, (each.get(sample) ?? 0) + (timeDeltas[index + 1] ?? 0) / 1000);
  for (const [sample, ms] of each) {
    const chain = chainOf(sample);
    const names = chain.map(spelled);
    const [group = '(other)'] = names.flatMap((name) => groups.find(([, pattern]) => pattern.test(name))?.[0] ?? []);
    told.byGroup.set(group, (told.byGroup.get(group) ?? 0) + ms);
    add(told, chain, ms);
  }
  return told;
}

function tell(name: string, profile: Profile): void {
  const { byGroup, byFrame } = read(profile);
  const per = (ms: number) => (ms / jobs).toFixed(2).padStart(9);
  console.log(`\n${name}: ms of a job`);
  for (const [group, ms] of [...byGroup].toSorted((a, b) => b[1] - a[1])) console.log(`${per(ms)}  ${group}`);
  for (const what of ['self', 'total'] as const) {
    console.log(`  ${what}`);
    const frames = [...byFrame].toSorted((a, b) => b[1][what] - a[1][what]).slice(0, TOLD);
    for (const [key, one] of frames) console.log(`  ${per(one[what])}  ${key}`);
  }
}
