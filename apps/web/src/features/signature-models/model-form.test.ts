import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedModel, defaultDigitalModel, type SignatureModel } from '@lavra/domain';
import { formOf, measureOf, modelOf } from './model-form.ts';

test('a model opened and saved unchanged stays as it was, whatever its type', () => {
  const kinds: Partial<SignatureModel>[] = [
    {},
    { imagePosition: 'BACKGROUND', customText: 'Visto', textFont: 'COURIER', textFontSize: 7.5, textPadding: 0 },
    { imagePosition: 'NONE', customText: '$SIGN_DATE$ em São Paulo' },
  ];
  for (const kind of kinds) {
    const model = { ...defaultDigitalModel, ...kind };
    assert.deepEqual(checkedModel(modelOf(formOf(model))), model);
  }
});

test('an image alone is opened with font size 12 and the default’s text at hand for another type', () => {
  const form = formOf({ ...defaultDigitalModel, imagePosition: 'TOP', customText: '' });
  assert.deepEqual([form.type, form.measures.textFontSize], ['image', '12']);
  assert.equal(modelOf(form).customText, '');
  assert.equal(modelOf({ ...form, type: 'imageAndText' }).customText, defaultDigitalModel.customText);
  assert.equal(modelOf({ ...form, type: 'text' }).imagePosition, 'NONE');
});

test('what is typed below a minimum, or is no number, counts as the minimum', () => {
  const form = formOf(defaultDigitalModel);
  const typed = (measure: keyof typeof form.measures, value: string) =>
    measureOf({ ...form, measures: { ...form.measures, [measure]: value } }, measure);
  assert.deepEqual([typed('width', '150,5'), typed('height', '75.25')], [150.5, 75.25], 'a fraction is one, however it is written');
  assert.deepEqual([typed('width', '20'), typed('height', ''), typed('textFontSize', '0'), typed('textPadding', '..')], [100, 50, 1, 0]);
  assert.equal(typed('textFontSize', '7,5'), 7.5);
});
