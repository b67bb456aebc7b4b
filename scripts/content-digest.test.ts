import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';

type ContentDigest = (root: string, paths: readonly string[], options: { kept: string; now?: number }) => string;
const { contentDigest } = (await import(join(import.meta.dirname, 'content-digest.mjs'))) as { contentDigest: ContentDigest };

describe('whether sources are the ones of the last start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lavra-digest-'));
  const root = join(folder, 'tree');
  const kept = join(folder, 'kept');
  const file = join(root, 'src/inside/one.ts');
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    for (const path of [root, kept]) rmSync(path, { recursive: true, force: true });
    mkdirSync(join(root, 'src/inside'), { recursive: true });
    writeFileSync(file, 'one');
    writeFileSync(join(root, 'src/two.ts'), 'two');
    writeFileSync(join(root, 'lock'), 'lock');
  });

  /** As at a start an hour later, when no time of a file is of this moment. */
  const later = (of = root) => contentDigest(of, ['src', 'lock', 'not-there'], { kept, now: Date.now() + 3_600_000 });
  /** What is written down is taken for what the files say, without a look into them. */
  const reads = () => {
    const text = readFileSync(kept, 'utf8');
    writeFileSync(kept, text.replace(/^\w+/, 'written-down'));
    const isRead = later() !== 'written-down';
    writeFileSync(kept, text);
    return isRead;
  };

  it('reads no file while all are as they were', () => {
    const digest = later();
    assert.match(digest, /^[0-9a-f]{64}$/);
    assert.equal(reads(), false);
    assert.equal(later(), digest);
  });

  it('is by content: a copy has the same, and so has a file that was touched alone', () => {
    const digest = later();
    cpSync(root, join(folder, 'copy'), { recursive: true });
    assert.equal(later(join(folder, 'copy')), digest);
    utimesSync(file, 1, 1);
    assert.equal(reads(), true);
    assert.equal(later(), digest);
  });

  const changes: [string, () => void][] = [
    ['an edit', () => writeFileSync(file, 'longer')],
    [
      'an edit of the same length whose time was put back',
      () => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, 'eno');
        utimesSync(file, atime, mtime);
      },
    ],
    [
      'another file of the same length and time in its place',
      () => {
        const { atime, mtime } = statSync(file);
        writeFileSync(join(root, 'new'), 'eno');
        utimesSync(join(root, 'new'), atime, mtime);
        renameSync(join(root, 'new'), file);
      },
    ],
    ['a new file', () => writeFileSync(join(root, 'src/three.ts'), '')],
    ['a file that is gone', () => rmSync(file)],
    ['another name', () => renameSync(file, join(root, 'src/inside/eno.ts'))],
    ['what was not there', () => writeFileSync(join(root, 'not-there'), '')],
  ];
  for (const [name, change] of changes)
    it(`notices ${name}`, () => {
      const digest = later();
      change();
      assert.notEqual(later(), digest);
    });

  it('writes nothing down while a file is so new that another edit could have its time', () => {
    contentDigest(root, ['src'], { kept });
    assert.throws(() => readFileSync(kept), /ENOENT/);
  });

  it('reads all files where what was written down is half of it, or where nothing can be', () => {
    const digest = later();
    const text = readFileSync(kept, 'utf8');
    writeFileSync(kept, text.slice(0, -4));
    assert.equal(later(), digest);
    assert.equal(contentDigest(root, ['src', 'lock'], { kept: join(folder, 'no/such/folder') }), digest);
  });
});
