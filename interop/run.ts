import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct } from '../e2e/product.ts';
import { makeContract } from '../e2e/documents.ts';
import { signedStory } from './signed-story.ts';

/**
 * Other makers judge what the running product made: pyHanko (PyPI) and EU DSS (Maven Central) must call every
 * signature of the main story valid, with later changes as permitted form filling and signing. Where a
 * registry does not answer, its judge is left out and that is said.
 */
const here = import.meta.dirname;
const target = join(here, 'target');
mkdirSync(target, { recursive: true });

function run(command: string, args: readonly string[], options: { cwd?: string; quiet?: boolean } = {}): boolean {
  const done = spawnSync(command, [...args], { cwd: options.cwd ?? here, stdio: options.quiet ? 'ignore' : 'inherit', timeout: 600_000 });
  return done.status === 0;
}

function preparePyhanko(): boolean {
  const venv = join(here, '.venv');
  const python = join(venv, 'bin/python');
  if (existsSync(join(venv, 'ready'))) return true;
  const ready =
    run('python3', ['-m', 'venv', venv]) &&
    run(python, ['-m', 'pip', 'install', '--quiet', 'pyHanko==0.38.0', 'pyhanko-certvalidator'], { quiet: false });
  if (ready) writeFileSync(join(venv, 'ready'), '');
  return ready;
}

function prepareDss(): boolean {
  return run('mvn', ['-q', '-B', 'compile', 'dependency:build-classpath', `-Dmdep.outputFile=${join(target, 'classpath.txt')}`], {
    cwd: join(here, 'dss'),
  });
}

interface Story {
  files: string[];
  roots: string[];
}

async function makeStory(): Promise<Story> {
  const product = await startProduct();
  try {
    const documents = [
      { name: 'contrato.pdf', bytes: await makeContract('Contrato', 3) },
      { name: 'anexo.pdf', bytes: await makeContract('Anexo girado', 2, true) },
    ];
    const signed = await signedStory(product, documents);
    const files = signed.map(({ name, bytes }) => {
      writeFileSync(join(target, name), bytes);
      return join(target, name);
    });
    const installation = Buffer.from(await (await fetch(`${product.url}/pki/root.cer`)).arrayBuffer());
    const timestamps = JSON.parse(readFileSync(join(product.dataDir, 'development/timestamp-authority.json'), 'utf8')) as { root: string };
    writeFileSync(join(target, 'root.der'), installation);
    writeFileSync(join(target, 'tsa-root.der'), Buffer.from(timestamps.root, 'base64'));
    return { files, roots: [join(target, 'root.der'), join(target, 'tsa-root.der')] };
  } finally {
    await product.stop();
  }
}

const judges = { pyHanko: preparePyhanko(), 'EU DSS': prepareDss() };
for (const [name, available] of Object.entries(judges))
  if (!available) process.stdout.write(`${name} is not available here (its registry did not answer): left out\n`);
if (!judges.pyHanko && !judges['EU DSS']) process.exit(0);

const story = await makeStory();
const roots = story.roots.join(',');
const verdicts = [
  !judges.pyHanko || run(join(here, '.venv/bin/python'), ['pyhanko_judge.py', roots, ...story.files]),
  !judges['EU DSS'] ||
    run('java', [
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
      '-cp',
      `${join(here, 'dss/target/classes')}:${readFileSync(join(target, 'classpath.txt'), 'utf8').trim()}`,
      'Judge',
      roots,
      ...story.files,
    ]),
];
const good = verdicts.every(Boolean);
process.stdout.write(`interop: ${good ? 'every signature accepted' : 'NOT accepted'}\n`);
process.exit(good ? 0 : 1);
