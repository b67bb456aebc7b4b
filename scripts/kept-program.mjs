import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** Those that were started last: one of them may still run, and load a part of itself. */
const KEPT = 4;
/** Nobody makes one for so long: whoever began it was ended. */
const GIVEN_UP_MS = 60 * 60_000;

/**
 * The program of these sources in `programs`, made where it is not there yet: `make(into, at)` writes it to one folder and says whether it did, and it will
 * stand at the other. Whole or not there, whatever breaks off and however many begin at once. Null where none can be made.
 */
export function keptProgram(programs, wanted, make) {
  const folder = join(programs, wanted);
  const program = join(folder, 'main.mjs');
  try {
    if (!existsSync(programs)) mkdirSync(programs, { recursive: true });
    // A program finds workers and migrations by where it really is: behind a link (packages that two trees share) those of another tree.
    if (realpathSync(programs) !== programs) return null;
    if (!existsSync(program)) makeWhole(programs, folder, make);
    noteUse(programs, folder);
  } catch (error) {
    // Nobody may write here.
    if (!error.code) throw error;
  }
  return existsSync(program) ? program : null;
}

function makeWhole(programs, folder, make) {
  const unfinished = `${folder}.new-${randomUUID()}`;
  mkdirSync(unfinished);
  try {
    if (!make(unfinished, folder)) return;
    // After a power cut there would be a file of that name without its bytes, and Node runs an empty program as one that has nothing to do.
    for (const name of readdirSync(unfinished)) force(join(unfinished, name));
    force(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    // Another start was faster.
    if (!error.code) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function force(path) {
  let file;
  try {
    file = openSync(path, 'r');
    fsyncSync(file);
  } catch (error) {
    // Windows forces no folder, and no file that is open for reading.
    if (process.platform !== 'win32') throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A folder's time is when it was started last. */
function noteUse(programs, folder) {
  const now = new Date();
  if (existsSync(folder)) utimesSync(folder, now, now);
  const all = readdirSync(programs).map((name) => ({
    name,
    usedAt: statSync(join(programs, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  const made = all.filter(({ name }) => !name.includes('.new-')).toSorted((a, b) => b.usedAt - a.usedAt);
  const givenUp = all.filter(({ name, usedAt }) => name.includes('.new-') && usedAt < now.getTime() - GIVEN_UP_MS);
  for (const { name } of [...made.slice(KEPT), ...givenUp]) rmSync(join(programs, name), { recursive: true, force: true });
}
