import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackWorld } from '../packages/pades/src/testing/attacks/world.ts';
import { revisionCases } from '../packages/pades/src/testing/revisions/cases.ts';
import { laterRevisions } from '../packages/pades/vectors/later-revisions.ts';

/** pyHanko's reading is lenient in the tests of these: hybrid files, and a reference to nothing. */
const lenient = /hybrid|nonstrict/;

/** The files that pyHanko's tests of later changes build, and the level its tests demand of each, in `revisions.tsv`. */
export async function makeRevisions(folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const world = await attackWorld();
  const lines: string[] = [];
  for (const [name, make] of Object.entries(revisionCases)) {
    const file = `${name}.pdf`;
    writeFileSync(join(folder, file), await make(world));
    const how = lenient.test(name) ? 'lenient' : 'strict';
    for (const [field, [level]] of Object.entries(laterRevisions[name] ?? {})) lines.push([file, field, level, how].join('\t'));
  }
  writeFileSync(join(folder, 'revisions.tsv'), `${lines.join('\n')}\n`);
  return lines.length;
}
