import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractTypes, defineEntity, processAbilities, signatureModels } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import { ruleResolver } from '../lib/rule-resolver.ts';
import { type EntityField, enteredOf, shownOf, writtenOf } from './entity-field.ts';
import { enteredValues, fieldsResolver, type Values } from './entity-values.ts';
import type { EntityView } from './entity-view.ts';

const number: EntityField = { name: 'seats', kind: 'number' };
const flag: EntityField = { name: 'active', kind: 'flag' };
const choice: EntityField = { name: 'level', kind: 'choice', choices: ['LOW', 'HIGH'] };
const day: EntityField = { name: 'since', kind: 'day' };
const anything = () => true;
const nothingBlank = (value: unknown) => value !== null && value !== undefined;

test('what the wire has goes through the form unchanged', () => {
  for (const [field, value] of [
    [{ name: 'name' }, ' as it is '],
    [number, 0],
    [number, -12],
    [number, 123_456_789],
    [number, null],
    [flag, true],
    [flag, false],
    [choice, 'HIGH'],
    [choice, null],
    [day, '2024-02-29'],
    [day, '0099-01-01'],
    [day, null],
  ] as const)
    assert.deepEqual(writtenOf(field, enteredOf(field, value), anything), { value }, `${field.name} ${value}`);
});

test('a whole number is digits; a day stands in the calendar; a choice is one of its own', () => {
  for (const text of ['1.5', '1,5', '1 000', '1e3', '0x10', 'doze', '-', '9'.repeat(16)])
    assert.deepEqual(writtenOf(number, text, anything), { fault: 'entity.fault.number' }, text);
  for (const text of ['30/02/2026', '29/02/2023', '00/01/2026', '01/13/2026', '1/1/2026', '2026-01-01', '01/01/26', '31/04/2026'])
    assert.deepEqual(writtenOf(day, text, anything), { fault: 'entity.fault.day' }, text);
  assert.deepEqual(writtenOf(day, ' 01/12/2026 ', anything), { value: '2026-12-01' });
  assert.deepEqual(writtenOf(choice, 'MIDDLE', anything), { fault: 'entity.validation.required' });
});

test('what is left blank is nothing as the wire says it, and is asked for where it may not be nothing', () => {
  for (const field of [number, choice, day]) {
    assert.deepEqual(writtenOf(field, ' ', anything), { value: null });
    assert.deepEqual(
      writtenOf(field, '', (value) => value === undefined),
      { value: undefined },
    );
    assert.deepEqual(writtenOf(field, '', nothingBlank), { fault: 'entity.validation.required' });
  }
  assert.deepEqual(writtenOf({ name: 'name' }, '', nothingBlank), { value: '' }, 'a text is the rule’s to judge');
});

test('values are shown in the person’s language', () => {
  const shown = (field: EntityField, value: unknown, language = 'pt-br') =>
    shownOf(field, value, { t: (key) => key, language, words: 'plan' });
  assert.equal(shown(number, 1234567), '1.234.567');
  assert.equal(shown(number, 1234567, 'en'), '1,234,567');
  assert.equal(shown(number, 0), '0');
  assert.equal(shown(flag, true), 'entity.yes');
  assert.equal(shown(flag, false), 'entity.no');
  assert.equal(shown(choice, 'HIGH'), 'plan.choice.level.HIGH');
  assert.equal(shown(day, '2026-12-01', 'en'), '01/12/2026');
  assert.equal(shown({ name: 'name', numeric: true }, '1000'), '1000', 'a text stays as it was written');
});

const plans = defineEntity({
  path: 'plans',
  id: 'integer',
  access: ['ROLE_ADMIN'],
  written: {
    name: signatureModels.written.name,
    seats: signatureModels.written.width,
    active: processAbilities.shape.cancel,
    font: signatureModels.written.textFont,
    since: contractTypes.written.documents,
  },
  read: {},
  sorts: ['id'],
});
const view: EntityView<typeof plans> = {
  entity: plans,
  address: '/plan',
  words: 'plan',
  fields: [
    { name: 'name' },
    { name: 'seats', kind: 'number' },
    { name: 'active', kind: 'flag' },
    { name: 'font', kind: 'choice', choices: ['COURIER', 'HELVETICA'] },
    { name: 'since', kind: 'day' },
  ],
  form: { rule: () => {} },
};

test('a form sends what the call takes, and its rule sees nothing else', () => {
  const seen: unknown[] = [];
  const rule = ruleResolver(
    (values: Values) => {
      seen.push(values);
      if (values['name'] === '') throw new DomainError('record.nameRequired', { field: 'name' });
    },
    (code) => code,
  );
  const resolve = (entered: Values) => fieldsResolver(view, rule, (key) => key)(entered, undefined, {} as never);
  const blank = enteredValues(view, null);
  assert.deepEqual(blank, { name: '', seats: '', active: false, font: '', since: '' });
  assert.deepEqual(resolve(blank), { values: {}, errors: { seats: { type: 'value', message: 'entity.validation.required' } } });
  assert.deepEqual(seen, [], 'what is no value yet is nothing for the rule');
  const long = fieldsResolver({ ...view, fields: [{ name: 'name', maxLength: 5 }] }, rule, (key, values) => `${key} ${values?.max}`);
  assert.deepEqual(
    ['Plano', 'Planos'].map((name) => (long({ name }, undefined, {} as never) as { errors: object }).errors),
    [{}, { name: { type: 'value', message: 'entity.validation.maxlength 5' } }],
  );
  const filled = { ...blank, seats: '3', active: true, font: 'COURIER', since: '01/12/2026' };
  assert.deepEqual(resolve(filled), { values: {}, errors: { name: { type: 'record.nameRequired', message: 'record.nameRequired' } } });
  const { values } = resolve({ ...filled, name: 'Basic' }) as { values: Values };
  assert.deepEqual(values, { name: 'Basic', seats: 3, active: true, font: 'COURIER', since: '2026-12-01' });
  assert.ok(plans.create.body?.safeParse(values).success);
  assert.deepEqual(enteredValues(view, values), { ...filled, name: 'Basic' });
});
