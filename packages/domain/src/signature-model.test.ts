import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DomainError } from './errors.ts';
import {
  checkedModel,
  composeModelText,
  correctMeasure,
  defaultDigitalModel,
  placeholders,
  type SignatureModel,
  splitModelText,
} from './signature-model.ts';

function refusal(change: Partial<SignatureModel>): [string, string | undefined] {
  try {
    checkedModel({ ...defaultDigitalModel, ...change });
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.field];
    throw error;
  }
  return ['', undefined];
}

test('a model’s name is not empty, not only spaces, and has at most 50 characters', () => {
  assert.deepEqual(refusal({ name: '' }), ['model.nameRequired', 'name']);
  assert.deepEqual(refusal({ name: ' \u00A0\t' }), ['model.nameRequired', 'name']);
  assert.deepEqual(refusal({ name: 'a'.repeat(51) }), ['model.nameTooLong', 'name']);
  assert.equal(checkedModel({ ...defaultDigitalModel, name: `  ${'a'.repeat(50)} ` }).name, 'a'.repeat(50));
});

test('width is at least 100 pt, height 50 pt, font size 1, text margin 0', () => {
  assert.deepEqual(refusal({ width: 100, height: 50, textFontSize: 1, textPadding: 0 }), ['', undefined]);
  assert.deepEqual(refusal({ width: 99.9 }), ['model.invalid', 'width']);
  assert.deepEqual(refusal({ height: 49 }), ['model.invalid', 'height']);
  assert.deepEqual(refusal({ textFontSize: 0 }), ['model.invalid', 'textFontSize']);
  assert.deepEqual(refusal({ textPadding: -1 }), ['model.invalid', 'textPadding']);
  assert.deepEqual(refusal({ width: Number.NaN }), ['model.invalid', 'width']);
  assert.deepEqual(refusal({ height: Number.POSITIVE_INFINITY }), ['model.invalid', 'height']);
});

test('a measure is corrected to its minimum, and what it is corrected to is accepted', () => {
  assert.deepEqual([correctMeasure('width', 3), correctMeasure('height', 3), correctMeasure('textPadding', -2)], [100, 50, 0]);
  assert.equal(correctMeasure('textFontSize', Number.NaN), 1);
  fc.assert(
    fc.property(fc.constantFrom('width', 'height', 'textFontSize', 'textPadding'), fc.double(), (measure, value) => {
      assert.deepEqual(refusal({ [measure]: correctMeasure(measure, value) }), ['', undefined]);
    }),
  );
});

test('a model draws an image, a text or both, and only letters that the documents’ font has', () => {
  assert.deepEqual(refusal({ customText: '' }), ['', undefined]);
  assert.deepEqual(refusal({ imagePosition: 'NONE' }), ['', undefined]);
  assert.deepEqual(refusal({ imagePosition: 'NONE', customText: ' \n ' }), ['model.invalid', 'customText']);
  assert.deepEqual(refusal({ customText: 'Assinado 漢\nпо-русски' }), ['model.textUndrawable', 'customText']);
  assert.deepEqual(refusal({ customText: 'a\u0000' }), ['model.textUndrawable', 'customText']);
  assert.equal(checkedModel({ ...defaultDigitalModel, customText: 'um\r\ndois' }).customText, 'um\ndois');
});

test('the editor shows a text as words and facts, and saving it unchanged changes nothing', () => {
  assert.deepEqual(splitModelText(defaultDigitalModel.customText), {
    words: 'Assinado digitalmente por:',
    name: true,
    cpf: true,
    date: true,
  });
  const line = fc.constantFrom('', 'De acordo', placeholders.name, `CPF: ${placeholders.cpf}`, placeholders.date, ' ');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = lines.join('\n');
      assert.equal(composeModelText(splitModelText(text)), text);
    }),
  );
});
