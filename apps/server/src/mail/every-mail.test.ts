import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyMail } from '../testing/every-mail.ts';

/** Letters and small words that only the other languages have; what is called so in every language is no word. */
const foreign = {
  'pt-br': /[¿¡ñ]|\b(?:el|los|las|usted|firma|correo|the|your|you|and)\b/iu,
  en: /[¿¡ãõçñéêóúâ]|\b(?:para|não|você|seu|sua|el|los|usted|su|por|documento)\b/iu,
  es: /[ãõçêâ]|\b(?:não|você|seu|sua|pelo|uma|em|do|assinar|the|your|you|and)\b/iu,
} as const;
const names = /Brasília|npm run [\w-]+|https?:\/\/\S+/gu;

describe('mails, in every language', () => {
  const portuguese = everyMail('pt-br');
  for (const locale of ['pt-br', 'en', 'es'] as const)
    it(`say all that they say in ${locale}, with nothing left to fill in`, () => {
      const mails = everyMail(locale);
      assert.deepEqual([...mails.keys()], [...portuguese.keys()]);
      for (const [what, { subject, text, html, fromName = '' }] of mails) {
        const said = `${fromName}\n${subject}\n${text}`.replace(names, 'QZ');
        assert.doesNotMatch(`${said}${html}`, /\{\{|\}\}|undefined|\[object|NaN|Invalid Date/, what);
        assert.doesNotMatch(said, /\b(?:mail|certificates|storage)\.[a-z]\w*\.\w+/, `${what}: a sentence is missing`);
        assert.equal(foreign[locale].exec(said)?.[0], undefined, what);
        assert.doesNotMatch(said, / {2}| [,.;:]|\.\.(?!\.)|\(\)|“”/, `${what}: a hole`);
        assert.ok(subject.length > 0 && subject.length <= 100, `${what}: ${subject}`);
      }
    });

  it('write every instant as DD/MM/YYYY HH:mm', () => {
    for (const locale of ['pt-br', 'en', 'es'] as const)
      for (const [what, { text }] of everyMail(locale))
        for (const [written] of text.matchAll(/\d{1,4}[/-]\d{1,2}[/-]\d{1,4}[^\n]{0,6}/g))
          assert.match(written, /^23\/11\/2026 09:30/, what);
  });

  it('count one day as one day', () => {
    const days = {
      'pt-br': ['Falta 1 dia.', 'Faltam 2 dias.'],
      en: ['1 day is left.', '2 days are left.'],
      es: ['Falta 1 día.', 'Faltan 2 días.'],
    };
    for (const locale of ['pt-br', 'en', 'es'] as const)
      for (const sentence of days[locale]) assert.ok(everyMail(locale).get('expiry')?.text.includes(sentence), sentence);
  });

  it('address nobody who is not there any more', () => {
    for (const locale of ['pt-br', 'en', 'es'] as const)
      assert.doesNotMatch(everyMail(locale).get('of nobody left')?.text ?? '', /\( ?\)|“ /);
  });
});
