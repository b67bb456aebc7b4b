import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memorySource, openPdf, verifyPdf } from '@lavra/pades';
import { aspects, compareWithDss, disagreements } from '../packages/pades/src/testing/dss-agreement.ts';
import type { Comparison } from '../packages/pades/src/testing/dss-agreement.ts';
import { dssAsserts } from '../packages/pades/vectors/dss-asserts.ts';

/**
 * Not asked again; they are in the vectors, and ours are judged. 51sigs: minutes of drawing pages. The others: DSS finds B-T in one run
 * and B-LTA in the next, whoever was judged before them.
 */
const notAskedAgain = /^51sigs|Certipost-2048-SHA512\.extended.*LTA/;

interface DssPlace {
  readonly classes: string;
  readonly library: string;
  readonly target: string;
}

/**
 * EU DSS judges the files of its own tests again, so that what our vectors say of it is true of the version at hand; then our
 * verdicts are put beside. True when DSS says what is written down, and we differ where it is argued and nowhere else.
 */
export async function judgedLikeDss(place: DssPlace): Promise<boolean> {
  const folder = unpacked(place);
  const files = Object.keys(dssAsserts).filter((name) => existsSync(pathOf(folder, name)));
  process.stdout.write(`the files of EU DSS's own tests: ${files.length}\n`);
  const asked = files.filter((name) => !notAskedAgain.test(name));
  const told = factsOf(
    place,
    asked.map((name) => pathOf(folder, name)),
  );
  const all: Comparison[] = [];
  let faults = 0;
  for (const name of files) {
    const { facts, argued } = dssAsserts[name] ?? { facts: [] };
    const said = told.get(pathOf(folder, name)) ?? '';
    if (!notAskedAgain.test(name) && said !== plain(facts)) faults += tell(name, `DSS says ${said}, not ${plain(facts)}`);
    const found = compareWithDss(facts, await ownReport(pathOf(folder, name)));
    const differing = disagreements(found).toSorted().join('; ');
    const expected = Object.keys(argued ?? {})
      .toSorted()
      .join('; ');
    if (differing !== expected) faults += tell(name, `we differ in ${differing}, not in ${expected}`);
    all.push(...found);
  }
  for (const aspect of aspects) {
    const compared = all.filter((one) => one.aspect === aspect);
    const agreed = compared.filter(({ ours, theirs }) => ours === theirs);
    process.stdout.write(`  ${aspect}: ${agreed.length} of ${compared.length} agree\n`);
  }
  return faults === 0;
}

function tell(name: string, what: string): number {
  process.stdout.write(`  ${name}: ${what}\n`);
  return 1;
}

/** The PDFs of the library's own tests, out of the archive that Maven brought. */
function unpacked({ library, target }: DssPlace): string {
  const folder = join(target, 'dss-tests');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = library.split(':').find((path) => path.endsWith('-tests.jar')) ?? '';
  const done = spawnSync('jar', ['xf', archive, 'validation'], { cwd: folder, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${archive}: ${done.stderr}`);
  return join(folder, 'validation');
}

/** `a__b.pdf` is b.pdf in the folder a. */
function pathOf(folder: string, name: string): string {
  return join(folder, ...name.split('__'));
}

function factsOf({ classes, library }: DssPlace, paths: readonly string[]): Map<string, string> {
  const options = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=off', '-cp', `${classes}:${library}`, 'Facts', ...paths];
  const done = spawnSync('java', options, { encoding: 'utf8', timeout: 900_000, maxBuffer: 1 << 26 });
  const facts = new Map<string, string>();
  for (const line of done.stdout.split('\n')) {
    const [path = '', kind = '', ...cells] = line.split('\t');
    const fact = kind === 'signature' || kind === 'document-timestamp' ? asText([kind, ...cells]) : '';
    facts.set(path, `${facts.get(path) ?? ''}${fact}`);
  }
  return facts;
}

function plain(facts: readonly (readonly string[])[]): string {
  return facts.map((fact) => asText(fact)).join('');
}

/** What merely looks otherwise depends on the fonts of the machine. */
function asText([kind = '', field = '', integrity = '', level = '', changes = '']: readonly string[]): string {
  return `[${kind} ${field} ${integrity} ${level.replace('PAdES-BASELINE-', 'B-')} ${changes === 'looks' ? 'permitted' : changes}]`;
}

async function ownReport(path: string) {
  try {
    const pdf = await openPdf(memorySource(new Uint8Array(readFileSync(path))));
    return await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at: new Date('2026-11-01T00:00:00Z') });
  } catch {
    return null;
  }
}
