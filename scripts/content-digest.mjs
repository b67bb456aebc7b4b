// Whether files are the ones of the last time. Runs before anything is installed, on the system's Node.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

/** Clocks of file systems go in steps: what was changed this shortly ago may change once more and show the same time. */
const SETTLED_MS = 2000;

/**
 * The digest of all files at and below `paths`, by content: a copy, a clone or a layer of an image has other times and the same
 * files. `kept` is where the last one is written down with size, times and number of each file: while these are the same no file is read.
 * The time of the last change of any kind (ctime) is set by the system alone, also for an edit of the same length whose
 * time was put back.
 */
export function contentDigest(root, paths, { kept, isMeant = () => true, now = Date.now() }) {
  const files = paths.flatMap((path) => filesBelow(root, path, isMeant));
  const seen = files
    .map(({ path, facts: { size, mtimeNs, ctimeNs, ino } }) => `${path}\0${size}\0${mtimeNs}\0${ctimeNs}\0${ino}`)
    .join('\n');
  const [last, lastSeen] = readKept(kept);
  if (lastSeen === seen) return last;
  const hash = createHash('sha256');
  for (const { path, facts } of files) hash.update(`${path}\0${facts.size}\0`).update(readFileSync(`${root}/${path}`));
  const digest = hash.digest('hex');
  const settled = BigInt(now - SETTLED_MS) * 1_000_000n;
  if (files.every(({ facts }) => facts.ctimeNs < settled)) keep(kept, `${digest}\n${seen}`);
  return digest;
}

function filesBelow(root, path, isMeant) {
  const facts = statSync(`${root}/${path}`, { throwIfNoEntry: false, bigint: true });
  if (!facts) return [];
  return facts.isDirectory() ? filesIn(root, path, isMeant) : [{ path, facts }];
}

function filesIn(root, path, isMeant) {
  const found = [];
  for (const entry of readdirSync(`${root}/${path}`, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || !isMeant(entry.name)) continue;
    const below = `${path}/${entry.name}`;
    found.push(...(entry.isDirectory() ? filesIn(root, below, isMeant) : filesBelow(root, below, isMeant)));
  }
  return found;
}

function readKept(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n');
    return [text.slice(0, end), text.slice(end + 1)];
  } catch {
    return [];
  }
}

function keep(path, text) {
  try {
    writeFileSync(path, text);
  } catch {
    // Nobody may write here: all files are read at each start.
  }
}
