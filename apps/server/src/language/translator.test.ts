import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { domainErrorCodes } from '@lavra/domain';
import i18next from 'i18next';
import { statusByCode } from '../http/problem.ts';
import { createTranslator, locales, readMessages } from './translator.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const localesDir = join(root, 'locales');
const tables = Object.fromEntries(locales.map((locale) => [locale, readMessages(localesDir, locale)]));
const portuguese = tables['pt-br'] ?? {};

const familiesOf = (table: Record<string, string>): string[] =>
  Object.keys(table)
    .filter((key) => key.endsWith('_other'))
    .map((key) => key.slice(0, -'_other'.length));

describe('the sentences', () => {
  it('are counted alike by server and pages: mails and papers take the form that i18next takes', async () => {
    const translate = createTranslator(localesDir);
    const pages = i18next.createInstance();
    await pages.init({
      lowerCaseLng: true,
      keySeparator: false,
      nsSeparator: false,
      fallbackLng: false,
      interpolation: { escapeValue: false },
      resources: Object.fromEntries(locales.map((locale) => [locale, { translation: readMessages(localesDir, locale) }])),
    });
    for (const locale of locales) {
      await pages.changeLanguage(locale);
      const table = readMessages(localesDir, locale);
      assert.ok(familiesOf(table).length > 20);
      for (const family of familiesOf(table)) {
        const names = [...(table[`${family}_other`] ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => [name, `<${name}>`]);
        for (const count of [0, 1, 2, 21, 1000, 1_000_000]) {
          const values = { ...(Object.fromEntries(names) as Record<string, string>), count };
          assert.equal(translate(locale, family, values), pages.t(family, values), `${locale} ${family} ${count}`);
        }
      }
    }
  });

  it('exist in three languages with the same keys and placeholders', () => {
    const placeholders = (sentence: string) => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted();
    for (const locale of ['en', 'es']) {
      const table = tables[locale] ?? {};
      assert.deepEqual(Object.keys(table).toSorted(), Object.keys(portuguese).toSorted(), locale);
      for (const [key, sentence] of Object.entries(portuguese))
        assert.deepEqual(placeholders(table[key] ?? ''), placeholders(sentence), `${locale} ${key}`);
    }
  });

  it('are never empty, and no key stands in two files', () => {
    for (const locale of locales) {
      const seen = new Map<string, string>();
      for (const file of readdirSync(join(localesDir, locale))) {
        const entries = Object.entries(JSON.parse(readFileSync(join(localesDir, locale, file), 'utf8')) as Record<string, string>);
        for (const [key, sentence] of entries) {
          assert.notEqual(sentence.trim(), '', `${locale}/${file} ${key}`);
          assert.equal(seen.get(key), undefined, `${key} stands in ${locale}/${seen.get(key)} and ${file}`);
          seen.set(key, file);
        }
      }
    }
  });

  it('cover every error code, as docs/errors.md does', () => {
    const explained = readFileSync(join(root, 'docs/errors.md'), 'utf8');
    for (const code of domainErrorCodes) {
      assert.ok(portuguese[code], `${code} has no sentence`);
      const [, status] = new RegExp(`\\| \`${code}\` \\| (\\d{3}|[^|]*) \\|`).exec(explained) ?? [];
      assert.ok(status, `docs/errors.md does not explain ${code}`);
      if (/^\d{3}$/.test(status)) assert.equal(Number(status), statusByCode[code], `the status of ${code}`);
    }
  });

  it('are the specification’s own where it gives them', () => {
    for (const sentence of [
      'Modalidade não selecionada',
      'Posições de Assinaturas Visíveis não Definidas',
      'É necessário o envio de uma imagem de assinatura',
      'Erro ao obter dados geográficos. Tente novamente mais tarde.',
      'É necessário selecionar um item',
      'Digite um UUID válido',
      'Falha ao logar! Por favor verifique suas credenciais e tente novamente.',
      'Ocorreu um erro inesperado. Tente novamente mais tarde.',
    ]) {
      assert.ok(Object.values(portuguese).includes(sentence), sentence);
    }
  });

  it('are filled in, and never show an empty placeholder’s braces', () => {
    const translate = createTranslator(localesDir);
    assert.equal(translate('pt-br', 'account.nameTooLong', { max: 50 }), 'O nome pode ter no máximo 50 caracteres.');
    assert.ok(!translate('en', 'account.nameTooLong').includes('{{'));
    assert.equal(translate('en', 'no.such.key'), 'no.such.key');
  });
});
