import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adRa14, adRc14 } from '@lavra/pades';
import { policiesFolder } from '../apps/server/src/testing/policies.ts';
import { startProduct } from '../e2e/product.ts';
import { makeContract } from '../e2e/documents.ts';
import { judgedByRegistry } from './audit.ts';
import { certificatesStory } from './certificates-story.ts';
import { dssOnTags, judgedByVeraPdf, type Kept, makeConforming } from './conformance.ts';
import { judgedLikeDss } from './dss-agreement.ts';
import { conformingForStory, type ConformingInput } from './conforming-inputs.ts';
import { judgeOurselves } from './lavra-judge.ts';
import { makeRevisions } from './later-revisions.ts';
import { judgedInstallation } from './judged-installation.ts';
import { prepareKeycloak } from './keycloak.ts';
import { type Case, writeCase } from './manifest.ts';
import { makeOwnPapers } from './own-papers.ts';
import { makeMatrix, policyFolder } from './matrix.ts';
import { judgedByPdfsig } from './pdfsig-judge.ts';
import { signedStory } from './signed-story.ts';
import { judgedByKeycloak } from './single-sign-on.ts';
import { prepareVersity } from './versity.ts';
import { judgedBySchemathesis, prepareSchemathesis } from './wire.ts';

/**
 * Other makers judge what the running product made (the main story) and what `@lavra/pades` makes (every level, kind of
 * key and kind of file): pyHanko (PyPI) and EU DSS (Maven Central) must call every signature valid, with later changes
 * as permitted form filling and signing, and so must our own verifier. What conforms to PDF/A or PDF/UA must conform after every
 * step: veraPDF (Maven Central) judges that. Each file's claim stands in a `manifest.tsv`
 * beside it. The pages, single sign-on mode on, meet a real Keycloak (Maven Central) in Chromium; `single-sign-on` runs that alone. Schemathesis
 * (PyPI) makes every call by its description; `wire` runs that alone. Versity's S3 gateway (the Go module proxy) keeps files for it; `bucket` runs that alone. `installation`, which nothing else runs, installs a release as its page says. What the product prints itself is PDF/A-2a; `papers` judges that alone.
 * Where a registry does not answer, its judge is left out and that is said.
 */
const here = import.meta.dirname;
const target = join(here, 'target');
mkdirSync(target, { recursive: true });

/** Quiet: its output is shown only when it fails. */
function run(command: string, args: readonly string[], { cwd = here, quiet = false } = {}): boolean {
  const done = spawnSync(command, [...args], { cwd, stdio: quiet ? 'pipe' : 'inherit', encoding: 'utf8', timeout: 600_000 });
  if (quiet && done.status !== 0) process.stdout.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
  return done.status === 0;
}

function preparePyhanko(): boolean {
  const venv = join(here, '.venv');
  const python = join(venv, 'bin/python');
  if (existsSync(join(venv, 'ready'))) return true;
  const ready =
    run('python3', ['-m', 'venv', venv], { quiet: true }) &&
    run(python, ['-m', 'pip', 'install', '--quiet', 'pyHanko==0.38.0', 'pyhanko-certvalidator==0.33.0'], { quiet: true });
  if (ready) writeFileSync(join(venv, 'ready'), '');
  return ready;
}

/** Maven brings the library; our judge of it is compiled here, so that a fault of ours is not taken for the registry's. */
function prepareJava(folder: string, ...programs: string[]): boolean {
  const project = join(here, folder);
  const list = ['-q', '-B', 'dependency:build-classpath', `-Dmdep.outputFile=${join(target, `${folder}-classpath.txt`)}`];
  if (!run('mvn', list, { cwd: project, quiet: true })) return false;
  const sources = programs.map((name) => `src/main/java/${name}.java`);
  if (!run('javac', ['-cp', libraryOf(folder), '-d', join(project, 'target/classes'), ...sources], { cwd: project }))
    throw new Error(`${programs.join(' or ')} does not compile`);
  return true;
}

function libraryOf(folder: string): string {
  return readFileSync(join(target, `${folder}-classpath.txt`), 'utf8').trim();
}

function classPathOf(folder: string): string {
  return `${join(here, folder, 'target/classes')}:${libraryOf(folder)}`;
}

async function makeStory(folder: string, conforming: ConformingInput): Promise<Case> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const product = await startProduct();
  try {
    const documents = [
      { name: 'contrato.pdf', bytes: await makeContract('Contrato', 3) },
      { name: 'anexo.pdf', bytes: await makeContract('Anexo girado', 2, true) },
      { name: 'arquivo.pdf', bytes: Buffer.from(conforming.bytes) },
    ];
    const signed = await signedStory(product, documents);
    for (const { name, bytes } of signed) writeFileSync(join(folder, name), bytes);
    const claim = {
      level: 'B-LTA',
      baseline: 'B-LTA',
      policy: '',
      key: "the product's own",
      kind: 'the main story',
      refusals: {},
    } as const;
    const installation = new Uint8Array(await (await fetch(`${product.url}/pki/root.cer`)).arrayBuffer());
    const timestamps = JSON.parse(readFileSync(join(product.dataDir, 'development/timestamp-authority.json'), 'utf8')) as { root: string };
    return {
      folder,
      claims: signed.map(({ name }) => ({ file: name, ...claim, ...(name.startsWith('arquivo') ? { refusals: dssOnTags } : {}) })),
      roots: [installation, new Uint8Array(Buffer.from(timestamps.root, 'base64'))],
      lists: [],
    };
  } finally {
    await product.stop();
  }
}

/** `policies`: ITI's, as an operator puts them into a folder. */
async function makeCertificatesStory(folder: string, policies: string | null): Promise<Case> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const product = await startProduct(policies === null ? {} : { LAVRA_ICP_BRASIL_POLICIES: policies });
  try {
    return await certificatesStory(product, folder, policies === null ? adRc14 : adRa14);
  } finally {
    await product.stop();
    if (policies !== null) rmSync(policies, { recursive: true });
  }
}

/** The mode as its users meet it. */
async function judgedSingleSignOn(): Promise<boolean> {
  if (prepareKeycloak(target)) return judgedByKeycloak(target);
  process.stdout.write('Keycloak is not available here (no Java, or its registry did not answer): single sign-on mode is left out\n');
  return true;
}

/** Every call, by its own description. */
async function judgedWire(seed?: number): Promise<boolean> {
  if (prepareSchemathesis(here)) return judgedBySchemathesis(here, seed);
  process.stdout.write('Schemathesis is not available here (its registry did not answer): the wire is not judged\n');
  return true;
}

/** A bucket of yet another maker's server, told as the one in the tests. */
function judgedByVersity(): boolean {
  if (prepareVersity(target)) {
    process.stdout.write("a bucket of Versity's S3 gateway\n");
    return run(process.execPath, ['--test', '--test-reporter=spec', join(here, 'versity-bucket.test.ts')]);
  }
  process.stdout.write("Versity's S3 gateway is not available here (no Go, or its registry did not answer): it is left out\n");
  return true;
}

if (process.argv[2] === 'audit') process.exit(judgedByRegistry() ? 0 : 1);
if (process.argv[2] === 'bucket') process.exit(judgedByVersity() ? 0 : 1);
if (process.argv[2] === 'installation') process.exit((await judgedInstallation()) ? 0 : 1);
if (process.argv[2] === 'wire') process.exit((await judgedWire(process.argv[3] ? Number(process.argv[3]) : undefined)) ? 0 : 1);
if (process.argv[2] === 'single-sign-on') process.exit((await judgedSingleSignOn()) ? 0 : 1);

/** What the product prints itself is PDF/A-2a. */
async function judgedPapers(): Promise<boolean> {
  const papers = await makeOwnPapers(join(target, 'papers'));
  return prepareJava('verapdf', 'ConformanceJudge') && judgedByVeraPdf(classPathOf('verapdf'), papers);
}
if (process.argv[2] === 'papers') process.exit((await judgedPapers()) ? 0 : 1);

const judges = {
  pyHanko: preparePyhanko(),
  'EU DSS': prepareJava('dss', 'Judge', 'Facts'),
  veraPDF: prepareJava('verapdf', 'ConformanceJudge'),
};
for (const [name, available] of Object.entries(judges))
  if (!available) process.stdout.write(`${name} is not available here (not installed, or its registry did not answer): left out\n`);
/** Who needs none of these. */
const judgedBesides = async () => [await judgedSingleSignOn(), await judgedWire(), judgedByVersity(), judgedByRegistry()];
if (!Object.values(judges).some(Boolean)) process.exit((await judgedBesides()).every(Boolean) ? 0 : 1);

function judgedByPyhanko({ folder }: Case): boolean {
  return run(join(here, '.venv/bin/python'), ['pyhanko_judge.py', folder]);
}

function judgedByDss({ folder }: Case): boolean {
  return run('java', ['-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', classPathOf('dss'), 'Judge', folder, policyFolder() ?? '-']);
}

/** Every judge sees every file, whatever the others say. */
async function judged(title: string, one: Case): Promise<boolean> {
  process.stdout.write(`${title}: ${one.claims.length} files\n`);
  writeCase(one);
  const verdicts = [
    await judgeOurselves(one),
    await judgedByPdfsig(one),
    !judges.pyHanko || judgedByPyhanko(one),
    !judges['EU DSS'] || judgedByDss(one),
  ];
  return verdicts.every(Boolean);
}

/** pyHanko says of later changes what its own tests expect of it: our vectors repeat no hearsay. */
async function judgedRevisions(): Promise<boolean> {
  const folder = join(target, 'revisions');
  process.stdout.write(`later changes, as pyHanko's tests make them: ${await makeRevisions(folder)} signatures\n`);
  return !judges.pyHanko || run(join(here, '.venv/bin/python'), ['pyhanko_revisions.py', folder]);
}

/** What conforms to PDF/A and PDF/UA conforms after everything; the other judges see where it ended. */
async function judgedConformance(fromStory: Kept): Promise<boolean> {
  const { kept, forOthers } = await makeConforming(join(target, 'conformance'));
  const all = [fromStory, ...kept, ...(await makeOwnPapers(join(target, 'papers')))];
  process.stdout.write(`PDF/A and PDF/UA kept: ${all.length} files, ${all.reduce((sum, { steps }) => sum + steps.length, 0)} states\n`);
  const verdicts = [!judges.veraPDF || judgedByVeraPdf(classPathOf('verapdf'), all), await judged('the same, sealed for years', forOthers)];
  return verdicts.every(Boolean);
}

if (policyFolder() === null)
  process.stdout.write("ICP-Brasil's policy files are not at hand (LAVRA_POLICIES): their digests are not judged, AD-RA is left out\n");
const archived = conformingForStory();
const policies = policiesFolder();
const good = [
  await judged('the main story', await makeStory(join(target, 'story'), archived)),
  await judgedConformance({ ...archived, steps: [{ step: 'by the product', file: join(target, 'story/arquivo-assinado.pdf') }] }),
  await judged('three ICP-Brasil certificates, archived', await makeCertificatesStory(join(target, 'certificates'), null)),
  policies === null ||
    (await judged(
      'three ICP-Brasil certificates, archived with their policy',
      await makeCertificatesStory(join(target, 'archived'), policies),
    )),
  await judgedRevisions(),
  !judges['EU DSS'] || (await judgedLikeDss({ classes: join(here, 'dss/target/classes'), library: libraryOf('dss'), target })),
  await judged('every level, kind of key and kind of file', await makeMatrix(join(target, 'matrix'))),
  ...(await judgedBesides()),
].every(Boolean);
process.stdout.write(`interop: ${good ? 'all accepted, but for the refusals that are known' : 'NOT accepted'}\n`);
process.exit(good ? 0 : 1);
