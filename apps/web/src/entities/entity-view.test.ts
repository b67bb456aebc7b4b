import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureModels } from '@lavra/api';
import type { EntityView } from './entity-view.ts';

type Fields = EntityView<typeof signatureModels>['fields'];

test('the machine’s own fields are texts: what would be printed, and sent as the print, does not compile', () => {
  const texts: Fields = [{ name: 'name' }, { name: 'customText' }];
  // @ts-expect-error a number's print is not what the call takes
  const numbers: Fields = [{ name: 'width' }];
  for (const { name } of [...texts, ...numbers]) assert.ok(name in signatureModels.written);
});
