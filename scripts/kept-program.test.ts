import assert from 'node:assert/strict';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

const { keptProgram } = (await import(join(import.meta.dirname, 'kept-program.mjs'))) as {
  keptProgram(programs: string, wanted: string, make: (into: string, at: string) => boolean): string | null;
};

describe('the program that a start finds or makes', () => {
  let programs: string;
  beforeEach(() => {
    programs = join(mkdtempSync(join(realpathSync(tmpdir()), 'lavra-kept-')), 'program');
  });
  afterEach(() => rmSync(join(programs, '..'), { recursive: true, force: true }));

  const write = (into: string, text: string) => {
    mkdirSync(into, { recursive: true });
    writeFileSync(join(into, 'main.mjs'), text);
    return true;
  };
  const start = (name: string) => keptProgram(programs, name, (into: string) => write(into, name));
  const startedAgo = (name: string, minutes: number) => {
    const at = new Date(Date.now() - minutes * 60_000);
    utimesSync(join(programs, name), at, at);
  };

  it('makes it once, for where it will stand', () => {
    const made: string[] = [];
    const make = (into: string, at: string) => (made.push(at), write(into, 'a'));
    assert.equal(keptProgram(programs, 'a', make), join(programs, 'a/main.mjs'));
    assert.equal(keptProgram(programs, 'a', make), join(programs, 'a/main.mjs'));
    assert.deepEqual(made, [join(programs, 'a')]);
    assert.deepEqual(readdirSync(programs), ['a']);
  });

  it('is on the disk before it has its name: a power cut leaves no empty program behind', (t) => {
    const calls: string[] = [];
    for (const name of ['fsyncSync', 'renameSync'] as const) {
      const usual = fs[name] as (...given: unknown[]) => void;
      t.mock.method(fs, name, (...given: unknown[]) => {
        calls.push(name);
        usual(...given);
      });
    }
    syncBuiltinESMExports();
    try {
      start('a');
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    // The file, its folder, and then the name.
    assert.deepEqual(calls, ['fsyncSync', 'fsyncSync', 'renameSync']);
  });

  it('keeps the ones that were started last, also one that was made long ago', () => {
    for (const name of ['a', 'b', 'c', 'd']) start(name);
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) startedAgo(name, 100 - index);
    start('a');
    start('e');
    assert.deepEqual(readdirSync(programs).toSorted(), ['a', 'c', 'd', 'e']);
  });

  it('leaves what another start is making at the same time', () => {
    let isLeft = false;
    const program = keptProgram(programs, 'a', (into: string) => {
      write(into, 'first');
      keptProgram(programs, 'b', (other: string) => write(other, 'b'));
      keptProgram(programs, 'a', (other: string) => write(other, 'second'));
      isLeft = existsSync(join(into, 'main.mjs'));
      return true;
    });
    assert.ok(isLeft);
    assert.equal(readFileSync(program ?? '', 'utf8'), 'second');
    assert.deepEqual(readdirSync(programs).toSorted(), ['a', 'b']);
  });

  it('takes away what a start that was ended left half made, an hour later', () => {
    for (const name of ['a.new-1', 'b.new-2']) write(join(programs, name), 'half');
    startedAgo('a.new-1', 61);
    start('c');
    assert.deepEqual(readdirSync(programs).toSorted(), ['b.new-2', 'c']);
  });

  it('says that there is none where none can be made, and leaves nothing of it', () => {
    assert.equal(
      keptProgram(programs, 'a', (into: string) => !write(into, 'half')),
      null,
    );
    assert.deepEqual(readdirSync(programs), []);
  });

  it(
    'is none where it would stand in another tree, whose files it would find',
    { skip: process.platform === 'win32' ? 'links need rights there' : false },
    () => {
      const shared = join(programs, '../shared');
      start('a');
      mkdirSync(shared);
      symlinkSync(programs, join(shared, 'program'));
      const make = (into: string) => write(into, 'b');
      assert.equal(keptProgram(join(shared, 'program'), 'a', make), null);
      assert.equal(keptProgram(join(shared, 'program'), 'b', make), null);
      assert.deepEqual(readdirSync(programs), ['a']);
    },
  );

  it('tries nothing where nobody may write', () => {
    writeFileSync(programs, 'a file stands here');
    let tried = false;
    assert.equal(
      keptProgram(programs, 'a', () => (tried = true)),
      null,
    );
    assert.ok(!tried);
  });
});
