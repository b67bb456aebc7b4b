import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEmail, normalizeEmail, parseEmail } from './email.ts';

describe('an e-mail address', () => {
  it('has one form: no blanks around it, lower case, composed', () => {
    assert.equal(parseEmail('  ANA@Exemplo.com.BR '), 'ana@exemplo.com.br');
    assert.equal(parseEmail('joa\u0303o@exemplo.com.br'), 'joão@exemplo.com.br');
    assert.equal(parseEmail('JOÃO@exemplo.com.br'), parseEmail('joa\u0303o@exemplo.com.br'));
    assert.equal(normalizeEmail(' Nada '), 'nada');
  });

  it('has its host in ASCII', () => {
    assert.equal(parseEmail('ana@cartório.com.br'), 'ana@xn--cartrio-o0a.com.br');
    assert.equal(parseEmail('ana@CARTÓRIO.com.br'), 'ana@xn--cartrio-o0a.com.br');
    assert.equal(parseEmail('ana@xn--cartrio-o0a.com.br'), 'ana@xn--cartrio-o0a.com.br');
    assert.equal(parseEmail('ana@пример.рф'), 'ana@xn--e1afmkfd.xn--p1ai');
  });

  it('is refused with characters that nobody sees', () => {
    for (const [name, hidden] of [
      ['zero width space', '\u200b'],
      ['zero width joiner', '\u200d'],
      ['right-to-left override', '\u202e'],
      ['isolate', '\u2066'],
      ['soft hyphen', '\u00ad'],
      ['byte order mark', '\ufeff'],
      ['Hangul filler', '\u3164'],
      ['variation selector', '\ufe0f'],
      ['blank Braille', '\u2800'],
      ['NUL', '\u0000'],
      ['escape', '\u001b'],
      ['lone surrogate', '\ud800'],
    ] as const) {
      assert.equal(isEmail(`an${hidden}a@exemplo.com.br`), false, name);
      assert.equal(isEmail(`ana@exem${hidden}plo.com.br`), false, name);
    }
  });

  it('is refused where it looks like another: full-width letters, ligatures, mixed scripts, letters in disguise', () => {
    for (const address of [
      'ａｎａ@exemplo.com.br',
      'ana@ｅxemplo.com.br',
      'oﬃce@exemplo.com.br',
      'аna@exemplo.com.br', // Cyrillic а
      'ana@exеmplo.com.br', // Cyrillic е
      'αna@exemplo.com.br', // Greek alpha
      'асе@exemplo.com.br', // Cyrillic alone, reads “ace”
      'ana@сосо.com.br', // Cyrillic alone, reads “coco”
      'ꓮꓠꓮ@exemplo.com.br', // Lisu alone, reads “ANA”
      'ᎪᎡᎪ@exemplo.com.br', // Cherokee
      'mari\u0307a@exemplo.com.br', // a dot on the dot of i
      'İris@exemplo.com.br', // the same in lower case
    ])
      assert.equal(isEmail(address), false, address);
    for (const address of ['иван@пример.рф', 'たなか太郎@例え.jp', 'joão.d-ávila+x_1@exemplo.com.br', "o'neil@exemplo.com"])
      assert.equal(isEmail(address), true, address);
  });

  it('is refused where its host is no name', () => {
    for (const host of [
      '127.0.0.1',
      '1.2',
      '0x7f.1',
      'exemplo',
      'exemplo.com:25',
      'exemplo.com/x',
      'exem%70lo.com',
      'a..com',
      '-.',
      'exemplo.com?',
    ])
      assert.equal(isEmail(`ana@${host}`), false, host);
  });

  it('is 5 to 254 characters in that form', () => {
    assert.equal(isEmail('a@b.c'), true);
    assert.equal(isEmail(`${'a'.repeat(250)}@b.co`), false);
    assert.equal(isEmail(`ana@${'é'.repeat(40)}.${'é'.repeat(40)}.${'é'.repeat(40)}.com.br`, 50), false);
  });

  it('stays what it is when it is read again', () => {
    for (const address of ['ana@exemplo.com.br', 'joão@cartório.com.br', 'иван@пример.рф']) {
      const once = parseEmail(address) ?? '';
      assert.equal(parseEmail(once), once);
    }
  });
});
