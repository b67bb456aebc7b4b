import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attacks, harmless } from '../testing/attacks/attacks.ts';
import { makeBases } from '../testing/attacks/bases.ts';
import { outcomeOf } from '../testing/attacks/outcome.ts';
import type { Outcome } from '../testing/attacks/outcome.ts';
import type { Variant } from '../testing/attacks/variant.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import type { ReasonCode } from './report.ts';
import { attackVectors, harmlessVectors } from '../../vectors/attacks.ts';
import type { AttackRow } from '../../vectors/attacks.ts';

const world = await attackWorld();
const bases = await makeBases(world);

const appended = new Set<ReasonCode>(['CHANGED_AFTER_SIGNATURE', 'BOX_ADDED_AFTER_CERTIFICATION', 'LATER_CHANGES_UNREADABLE']);

async function judge({ make, target }: Variant): Promise<Outcome> {
  return outcomeOf(await make({ world, bases }), target, world.options);
}

function rowOf({ indication, subIndication, reasons, changes }: Outcome): AttackRow {
  return changes.length === 0 ? [indication, subIndication, reasons] : [indication, subIndication, reasons, changes];
}

function expected(vectors: Readonly<Record<string, AttackRow>>, { family, name }: Variant): AttackRow {
  const row = vectors[`${family}/${name}`];
  assert.ok(row, `${family}/${name} has no vector`);
  const [indication, sub, reasons, changes = []] = row;
  return changes.length === 0 ? [indication, sub, reasons] : row;
}

for (const [family, variants] of Map.groupBy(attacks, (variant) => variant.family)) {
  test(`no ${family} attack passes, and each is answered as written down (${variants.length})`, async () => {
    for (const variant of variants) {
      const outcome = await judge(variant);
      assert.notEqual(outcome.indication, 'TOTAL-PASSED', `${variant.name}: ${variant.trick}`);
      assert.deepEqual(rowOf(outcome), expected(attackVectors, variant), variant.name);
    }
  });
}

test('what an attack appends is all that is wrong: cut where the signature ends, every such file passes', async () => {
  let cut = 0;
  for (const variant of attacks) {
    const bytes = await variant.make({ world, bases });
    const { reasons, end } = await outcomeOf(bytes, variant.target, world.options);
    if (!reasons.some((reason) => appended.has(reason))) continue;
    const before = await outcomeOf(bytes.slice(0, end), variant.target, world.options);
    assert.equal(before.indication, 'TOTAL-PASSED', `${variant.name} was no good before the attack: ${before.reasons.join()}`);
    cut++;
  }
  assert.ok(cut > 150);
});

test(`what honest people do raises no alarm (${harmless.length})`, async () => {
  for (const variant of harmless) assert.deepEqual(rowOf(await judge(variant)), expected(harmlessVectors, variant), variant.name);
});

test('every vector has its variant', () => {
  const names = [...attacks, ...harmless].map(({ family, name }) => `${family}/${name}`);
  assert.deepEqual([...names].toSorted(), [...Object.keys(attackVectors), ...Object.keys(harmlessVectors)].toSorted());
  assert.equal(new Set(names).size, names.length);
});
