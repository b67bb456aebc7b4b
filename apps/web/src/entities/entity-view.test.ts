import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureModels } from '@lavra/api';
import type { FieldOf } from './entity-field.ts';
import type { EntityView } from './entity-view.ts';

type Fields = EntityView<typeof signatureModels>['fields'];

test('a field is of a kind that shows and takes what the wire has there; any other does not compile', () => {
  const fields: Fields = [
    { name: 'name', maxLength: 9 },
    { name: 'width', kind: 'number' },
    { name: 'textAlignment', kind: 'choice', choices: ['LEFT', 'CENTER', 'RIGHT'] },
  ];
  // @ts-expect-error a number's print is not what the call takes
  const printed: Fields = [{ name: 'width' }];
  // @ts-expect-error the wire has words there
  const counted: Fields = [{ name: 'name', kind: 'number' }];
  // @ts-expect-error no such alignment
  const offered: Fields = [{ name: 'textAlignment', kind: 'choice', choices: ['JUSTIFIED'] }];
  // @ts-expect-error a choice is typed by nobody
  const typed: Fields = [{ name: 'textAlignment' }];
  for (const { name } of [...fields, ...printed, ...counted, ...offered, ...typed]) assert.ok(name in signatureModels.written);
  // @ts-expect-error what is only answered is not written
  const answered: Fields = [{ name: 'createdDate' }];
  assert.ok(!('createdDate' in signatureModels.written) && answered.length === 1);
});

test('what may be missing is of the kinds of what may be there', () => {
  type Field = FieldOf<{ since?: string | null; active: boolean; level?: 'LOW' | 'HIGH' | null }>;
  const fields: Field[] = [
    { name: 'since', kind: 'day' },
    { name: 'active', kind: 'flag' },
    { name: 'level', kind: 'choice', choices: ['LOW'] },
  ];
  // @ts-expect-error yes or no is no text
  const wrong: Field[] = [{ name: 'active', kind: 'text' }];
  assert.equal(fields.length + wrong.length, 4);
});
