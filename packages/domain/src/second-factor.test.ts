import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needsSecondFactor } from './second-factor.ts';

describe('a second factor', () => {
  it('is wanted of nobody, of administrators, or of everybody, as the installation says', () => {
    const user = ['ROLE_USER'];
    const admin = ['ROLE_USER', 'ROLE_ADMIN'];
    const wanted = (['nobody', 'administrators', 'everybody'] as const).map((demand) => [
      needsSecondFactor(demand, user),
      needsSecondFactor(demand, admin),
    ]);
    assert.deepEqual(wanted, [
      [false, false],
      [false, true],
      [true, true],
    ]);
  });
});
