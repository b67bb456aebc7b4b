import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource } from '../source.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { revisionCases } from '../testing/revisions/cases.ts';
import { document } from '../testing/revisions/documents.ts';
import { laterRevisions } from '../../vectors/later-revisions.ts';
import type { ModificationLevel, RevisionAnswer } from '../../vectors/later-revisions.ts';
import { verifyPdf } from './verify-pdf.ts';

const world = await attackWorld();
const permitted = new Set<ModificationLevel>(['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS']);

async function answersTo(bytes: Uint8Array): Promise<Map<string, RevisionAnswer>> {
  const { signatures, documentTimestamps } = await verifyPdf(await openPdf(memorySource(bytes)), world.options);
  const all = [
    ...signatures.map((one) => ({ ...one, field: one.fields[0] ?? '' })),
    ...documentTimestamps.map((one) => ({ ...one, field: one.field ?? '' })),
  ];
  return new Map(
    all.map(({ field, indication, reasons, changes }) => [
      field,
      [indication, [...reasons], [...new Set(changes.map(({ level, kind }) => `${level}/${kind}`))]],
    ]),
  );
}

test(`what pyHanko calls a forbidden change is never passed and what it permits never failed, but for arguments (${Object.keys(revisionCases).length} files)`, async () => {
  assert.deepEqual(Object.keys(laterRevisions).toSorted(), Object.keys(revisionCases).toSorted());
  for (const [name, make] of Object.entries(revisionCases)) {
    const answers = await answersTo(await make(world));
    const rows = laterRevisions[name] ?? {};
    assert.deepEqual([...answers.keys()].toSorted(), Object.keys(rows).toSorted(), name);
    for (const [field, [level, answer, argued]] of Object.entries(rows)) {
      assert.deepEqual(answers.get(field), answer, `${name}, ${field}`);
      const agrees = permitted.has(level) === (answer[0] === 'TOTAL-PASSED');
      assert.equal(
        argued === undefined,
        agrees,
        `${name}, ${field}: ${level} and ${answer[0]} ${agrees ? 'need no argument' : 'unargued'}`,
      );
    }
  }
});

test('what fills a form is told as filling, and what only keeps a signature alive as no more than that', () => {
  const worst = (changes: readonly string[]): string =>
    ['forbidden', 'annotate', 'fill', 'archive'].find((level) => changes.some((change) => change.startsWith(`${level}/`))) ?? 'none';
  for (const [name, rows] of Object.entries(laterRevisions)) {
    for (const [field, [level, [indication, , changes]]] of Object.entries(rows)) {
      if (indication !== 'TOTAL-PASSED') continue;
      if (level === 'FORM_FILLING') assert.equal(worst(changes), 'fill', `${name}, ${field}`);
      if (level === 'LTA_UPDATES') assert.match(worst(changes), /^(archive|none)$/, `${name}, ${field}`);
      if (level === 'NONE') assert.deepEqual(changes, [], `${name}, ${field}`);
    }
  }
});

test('a text field is no field to sign, deep in a group or not', async () => {
  for (const text of ['group', 'group-with-indirect-kids'] as const) {
    const pdf = await openPdf(memorySource(document({ fields: 1, text })));
    const signing = signPdf(pdf, world.ana, { field: 'TextInput.TextField1', signingTime: world.at });
    await assert.rejects(signing, (error) => error instanceof PadesError && error.code === 'FIELD_TYPE_MISMATCH');
  }
});
