import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProcessTemplate, templateContent } from './template-content.ts';

describe('a process that is corrected and sent again', () => {
  it('keeps the language in which its people are written to, and whether the interested parties hear of the end', () => {
    const template: ProcessTemplate = {
      title: 'Contrato',
      type: 'ELETRONIC_SIGNATURE',
      reminderIn: null,
      geolocation: 'required',
      langKey: 'es',
      documents: [],
      signers: [],
      stakeholders: [],
      tellStakeholders: false,
    };
    const { langKey, title, tellStakeholders } = templateContent(template, { files: [] });
    assert.deepEqual([langKey, title, tellStakeholders], ['es', 'Contrato', false]);
  });
});
