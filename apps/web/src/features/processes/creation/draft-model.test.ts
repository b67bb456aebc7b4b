import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnSignatureModel } from '@lavra/api';
import { defaultDigitalModel, defaultModels } from '@lavra/domain';
import { chosenModel, withChoice, withModality } from './draft-model.ts';
import type { ProcessDraft } from './process-draft.ts';

const at = '2026-11-21T12:00:00.000Z';
const models: OwnSignatureModel[] = [
  { ...defaultDigitalModel, id: 'large', name: 'Grande', width: 300, version: 1, createdDate: at },
  { ...defaultDigitalModel, id: 'same', name: 'Igual', customText: 'Visto', version: 1, createdDate: at },
];
const draft = { modality: 'digital', modelId: null, boxes: { 'a/b/0': { state: 'ready' } } } as unknown as ProcessDraft;

test('a digital process shows the model that was chosen, an electronic one always the default', () => {
  assert.equal(chosenModel({ modality: 'digital', modelId: 'large' }, models).width, 300);
  assert.equal(chosenModel({ modality: 'electronic', modelId: 'large' }, models), defaultModels.electronic);
  assert.equal(chosenModel({ modality: 'digital', modelId: 'gone' }, models), defaultModels.digital);
  assert.equal(chosenModel({ modality: null, modelId: null }, undefined), defaultModels.electronic);
});

test('boxes stay where they are unless their size changes', () => {
  assert.deepEqual(withChoice(draft, { modelId: 'same' }, models), { modelId: 'same' });
  assert.deepEqual(withChoice(draft, { modelId: 'large' }, models), { modelId: 'large', boxes: {} });
  assert.deepEqual(withChoice({ ...draft, modelId: 'large' }, { modality: 'electronic' }, models), { modality: 'electronic', boxes: {} });
  assert.deepEqual(withChoice(draft, { modality: 'electronic' }, models), { modality: 'electronic' });
});

test('visible or not is remembered for each modality', () => {
  const press = (before: ProcessDraft, modality: 'digital' | 'electronic') => ({ ...before, ...withModality(before, modality, models) });
  const digital = { ...draft, visible: true };
  const electronic = press(digital, 'electronic');
  assert.equal(electronic.visible, false, 'ticked for one is not ticked for the other');
  assert.equal(press(electronic, 'electronic').visible, false);
  assert.equal(press(electronic, 'digital').visible, true, 'and is still ticked on the way back');
  assert.equal(press({ ...digital, modality: null }, 'electronic').visible, true, 'what was ticked before a modality is its first one’s');
});

test('an electronic signature looks as the server’s default model says', () => {
  const other = { ...defaultModels.electronic, width: 222 };
  assert.equal(chosenModel({ modality: 'electronic', modelId: 'large' }, models, other), other);
  assert.equal(chosenModel({ modality: 'digital', modelId: null }, models, other), defaultModels.digital);
});
