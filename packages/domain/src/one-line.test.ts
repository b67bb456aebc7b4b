import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanFileName } from './documents.ts';
import { DomainError } from './errors.ts';
import { droppedFromName } from './names.ts';
import { cleanLine, invisibleCharacters, markInvisible } from './one-line.ts';
import { checkedModel, defaultElectronicModel } from './signature-model.ts';

const halfCharacter = String.fromCharCode(0xd800);

const refusal = (text: string) => {
  try {
    return cleanLine(text, 'title');
  } catch (error) {
    assert.ok(error instanceof DomainError);
    return [error.code, error.field, error.params['characters']];
  }
};

describe('a text of one line', () => {
  it('has no line breaks and single blanks, and is composed', () => {
    assert.equal(cleanLine('  Contrato\r\nde\u2028aluguel\t \u00a0 2026\u0085', 'title'), 'Contrato de aluguel 2026');
    assert.equal(cleanLine('Joa\u0303o', 'title'), 'João');
  });

  it('that holds what cannot be seen or turns the rest around is refused beside its field, and told what it is', () => {
    for (const [text, characters] of [
      ['contrato\u202efdp.exe', 'U+202E'],
      ['a\u200bb', 'U+200B'],
      ['a\u2066b\u2069', 'U+2066, U+2069'],
      ['a\u0000b', 'U+0000'],
      ['a\u00adb', 'U+00AD'],
      ['\ufeffabc', 'U+FEFF'],
      ['a\u3164b', 'U+3164'],
      ['a\u{e0041}b', 'U+E0041'],
      [`a${halfCharacter}b`, 'U+D800'],
      ['a\ue000b', 'U+E000'],
      ['a\u200db', 'U+200D'],
      ['a\ufe0fb', 'U+FE0F'],
    ] as const)
      assert.deepEqual(refusal(text), ['text.invisible', 'title', characters], characters);
  });

  it('keeps the joiners that a script or a picture is misspelt without', () => {
    for (const text of ['می\u200cخواهم', 'क्\u200dष', '👩\u200d⚖️ contrato', '❤️'])
      assert.equal(cleanLine(text, 'title'), text.normalize('NFC'));
  });

  it('of somebody who was not asked to mend it leaves a mark where something cannot be seen', () => {
    assert.equal(markInvisible('Mozilla/5.0\u202e (X)\nIdentificador'), 'Mozilla/5.0? (X) Identificador');
    assert.deepEqual(invisibleCharacters(markInvisible(`\u0000${halfCharacter}\u{e0041}`)), []);
  });
});

describe('texts that pass the same door', () => {
  it('are file names, and names and texts of models', () => {
    assert.throws(() => cleanFileName('contrato\u202efdp.pdf'), { code: 'text.invisible', field: 'files' });
    assert.throws(() => checkedModel({ ...defaultElectronicModel, name: 'a\u200bb' }), { code: 'text.invisible', field: 'name' });
    assert.throws(() => checkedModel({ ...defaultElectronicModel, customText: 'um\ndo\u202eis' }), { code: 'model.textUndrawable' });
    assert.equal(checkedModel({ ...defaultElectronicModel, customText: 'um\ndois' }).customText, 'um\ndois');
  });

  it('are names of people, which say what they would lose', () => {
    assert.equal(droppedFromName('<script>alert(1)</script>'), '< > ( 1 ) /');
    assert.equal(droppedFromName('João  d’Ávila-Souza'), '');
  });
});
