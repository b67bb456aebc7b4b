import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  fullName,
  splitName,
  checkedFirstName,
  checkedPartyName,
  checkedSignerName,
  checkedSigningName,
  checkedTitle,
  refusalOf,
} from './checked-lines.ts';
import { isDocumentIdentifier } from './documents.ts';
import { limits } from './limits.ts';
import { devicePlace } from './place.ts';

it('a line that a person writes is kept with single blanks, and refused beside its field with what is wrong with it', () => {
  assert.equal(checkedTitle('  Contrato \t de\nlocação '), 'Contrato de locação');
  assert.equal(checkedSignerName(' José  D’Ávila '), 'José D’Ávila');
  const codes = (rule: (text: string) => string, text: string) => refusalOf(() => rule(text))?.code ?? null;
  assert.equal(codes(checkedTitle, ' \u00a0 '), 'process.titleRequired');
  assert.equal(codes(checkedTitle, 'a'.repeat(limits.titleMax + 1)), 'process.titleTooLong');
  assert.equal(codes(checkedTitle, 'Contra\u202eto'), 'text.invisible');
  assert.equal(codes(checkedFirstName, ''), 'account.nameRequired');
  assert.equal(codes(checkedFirstName, 'a'.repeat(limits.nameMax + 1)), 'account.nameTooLong');
  assert.equal(codes(checkedPartyName, ' '), 'stakeholder.nameRequired');
  assert.equal(codes(checkedPartyName, 'a'.repeat(51)), 'record.nameTooLong');
  assert.equal(codes(checkedSignerName, ''), 'signer.nameRequired');
  assert.equal(codes(checkedSignerName, 'Ana 2'), 'signer.nameCharacters');
  assert.equal(codes(checkedSignerName, '明'), 'signer.nameUndrawable');
  assert.equal(codes(checkedSigningName, ''), 'evidence.nameRequired');
  assert.equal(codes(checkedSigningName, '明'), 'evidence.nameUndrawable');
  assert.equal(codes(checkedSigningName, 'Ana Lima'), null);
  assert.throws(() => refusalOf(() => JSON.parse('{')), SyntaxError);
});

it('zeros, what is out of range and what is missing are no place', () => {
  assert.deepEqual(devicePlace({ latitude: -23.5, longitude: -46.6, accuracy: 12 }), { latitude: -23.5, longitude: -46.6, accuracy: 12 });
  for (const none of [
    { latitude: 0 },
    { longitude: 0 },
    { accuracy: 0 },
    { accuracy: -1 },
    { latitude: 91 },
    { longitude: null },
    { latitude: Number.NaN },
  ])
    assert.equal(devicePlace({ latitude: -23.5, longitude: -46.6, accuracy: 12, ...none }), null);
});

it('a document’s identifier is a UUID, in either case and with blanks around it', () => {
  assert.ok(isDocumentIdentifier(' 0F8FAD5B-d9cb-469f-a165-70867728950e '));
  for (const other of ['', '0f8fad5b', '0f8fad5bd9cb469fa16570867728950e', '0f8fad5b-d9cb-469f-a165-70867728950g'])
    assert.ok(!isDocumentIdentifier(other));
});

it('a name typed in one field is kept as what somebody is called by and the rest, and told whole', () => {
  assert.deepEqual(splitName('  Ana  Beatriz Conceição '), { firstName: 'Ana', lastName: 'Beatriz Conceição' });
  assert.deepEqual(splitName('Zé'), { firstName: 'Zé', lastName: '' });
  assert.deepEqual(splitName(' '), { firstName: '', lastName: '' });
  for (const name of ['Ana Beatriz Conceição', 'Zé']) assert.equal(fullName(splitName(name)), name);
});
