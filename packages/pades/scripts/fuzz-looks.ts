import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { PadesError } from '../src/errors.ts';
import { openPdf } from '../src/open-pdf.ts';
import { listFields } from '../src/pdf/form.ts';
import { memorySource } from '../src/source.ts';
import { story } from '../src/testing/attacks/look-grammar.ts';
import { attackWorld } from '../src/testing/attacks/world.ts';
import { differences, engines, pictureOf } from '../src/testing/pictures.ts';
import { verifyPdf } from '../src/verify/verify-pdf.ts';

/**
 * Asks whether anybody sees what nobody signed: revisions by grammar, judged by the verifier and drawn before and after by
 * everybody at hand. `npm run fuzz:looks -- [minutes] [seed]`. TOTAL-PASSED with a difference outside the boxes that were
 * filled or signed is a find: it is kept, and belongs into the vectors.
 */
const [minutes = '5', first] = process.argv.slice(2);
const until = performance.now() + Number(minutes) * 60_000;
const world = await attackWorld();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-looks-'));
let seed = first === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(first);
const counts = { files: 0, passed: 0, drawn: 0, finds: 0 };
process.stdout.write(`seed ${seed}, files in ${folder}\n`);

/** Where the fields stand that this file says were filled or signed since. */
async function claimedBoxes(bytes: Uint8Array, names: ReadonlySet<string>): Promise<number[][]> {
  const pdf = await openPdf(memorySource(bytes));
  const boxes: number[][] = [];
  for (const { name, widget } of await listFields(pdf)) {
    if (!names.has(name) || widget === null) continue;
    const rect = (await pdf.resolveArray(widget.dict.get('Rect'))) ?? [];
    const [a = 0, b = 0, c = 0, d = 0] = rect.map(Number);
    boxes.push([Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);
  }
  return boxes;
}

/** The names of the engines that show something else, outside the claimed boxes. */
async function seenBy(base: Uint8Array, file: Uint8Array, boxes: readonly number[][]): Promise<string[]> {
  const [one, other] = [join(folder, 'before.pdf'), join(folder, 'after.pdf')];
  writeFileSync(one, base);
  writeFileSync(other, file);
  const seen: string[] = [];
  for (const engine of Object.keys(engines)) {
    const [was, is] = [await pictureOf(engine, one), await pictureOf(engine, other)];
    if (was === null) continue;
    counts.drawn++;
    if (is === null || differences(was, is, boxes) > 4) seen.push(engine);
  }
  return seen;
}

async function tell(base: Uint8Array, file: Uint8Array, name: string): Promise<void> {
  const { signatures } = await verifyPdf(await openPdf(memorySource(file)), world.options);
  const ana = signatures.find(({ fields }) => fields.includes('ana'));
  if (ana?.indication !== 'TOTAL-PASSED') return;
  counts.passed++;
  const named = new Set(ana.changes.flatMap(({ field }) => (field === null ? [] : [field])));
  const seen = await seenBy(base, file, await claimedBoxes(file, named));
  if (seen.length === 0) return;
  counts.finds++;
  for (const part of ['before', 'after']) copyFileSync(join(folder, `${part}.pdf`), join(folder, `find-${seed}.${part}.pdf`));
  process.stdout.write(`FIND seed ${seed}: seen by ${seen.join(', ')}\n  ${name}\n`);
}

for (; performance.now() < until; seed++) {
  const [one] = fc.sample(story, { seed, numRuns: 1 });
  if (one === undefined) continue;
  try {
    const { base, file } = await one.make(world);
    counts.files++;
    await tell(base, file, one.name);
  } catch (error) {
    // What the signer refuses, or what is no file any more, nobody is deceived by.
    if (!(error instanceof PadesError)) throw error;
  }
}
process.stdout.write(
  `${counts.files} files, ${counts.passed} passed, drawn ${counts.drawn} times before and after, ${counts.finds} finds, next seed ${seed}\n`,
);
process.exit(counts.finds > 0 ? 1 : 0);
