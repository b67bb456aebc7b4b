import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { it } from 'node:test';
import { localeFiles } from '../apps/server/src/http/locale-files.ts';
import { languageTag, locales, readMessages } from '../apps/server/src/language/translator.ts';

/** The same in every language. */
const names = new Set(['Lavra', 'PDF', 'CPF', 'OpenAPI 3.1', 'HH:mm', 'Português', 'Español']);
const between = />\s*([^<>{}()=;`]*\p{L}{2,}[^<>{}()=;`]*)<\//gu;
const attribute = /\s(?:aria-label|title|alt|placeholder|label|hint)="([^"]*\p{L}{2,}[^"]*)"/gu;

const textsOf = (source: string): string[] =>
  [...source.matchAll(between), ...source.matchAll(attribute)].map(([, text = '']) => text.trim()).filter((text) => !names.has(text));

it('finds the texts that stand in a page', () => {
  assert.deepEqual(textsOf('<p>Muito bem</p> <b title="Olá">{t("a")}</b> <i>Lavra</i>'), ['Muito bem', 'Olá']);
});

it('no text stands in the code of a page: what people read is in the locales', () => {
  const pages = globSync('apps/web/src/**/*.tsx').filter((path) => !path.includes('/dev/'));
  assert.ok(pages.length > 150);
  assert.deepEqual(
    pages.flatMap((path) => textsOf(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`)),
    [],
  );
});

it('no sentence stands in the code of server, pages, LAVRA_SIGNER, shared rules or scripts: nothing that is written with a diacritic of Portuguese or Spanish', () => {
  // What is no sentence, or is written once and for all: the first plan, the issuer in a certificate, words that no password may be, the letters
  // that papers are set in.
  // A provider's “não” is read, not said. LAVRA_SIGNER and the engine's command line have their words in files of their own.
  const other =
    /migrations\/|authority\.ts$|issue-signer-certificate\.ts$|known-passwords\.ts$|paper\/letters\.ts$|(?:window|cli)\/texts-[\w-]+\.ts$|testing\/|\.test\.tsx?$|src\/dev\/|psc\/src\/find-certificates\.ts$/;
  const literal = /(['`])((?:(?!\1)[^\\\n])*[áéíóúãõçâêôñ¿¡](?:(?!\1)[^\\\n])*)\1/gi;
  const sources = globSync(['apps/*/src/**/*.{ts,tsx}', 'packages/{api,domain,pades,psc}/src/**/*.ts', 'scripts/*.{ts,mjs}']).filter(
    (path) => !other.test(path),
  );
  const found = sources.flatMap((path) =>
    [
      ...readFileSync(path, 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
        .matchAll(literal),
    ]
      .filter(([, , text = '']) => !names.has(text))
      .map(([, , text]) => `${path}: ${text}`),
  );
  assert.deepEqual(found, []);
});

it('a screen says nothing by another screen’s sentence: what several say is a word of all, an entity’s, an error, or the frame’s', () => {
  const shared = new Set(['word', 'entities', 'errors', 'shell']);
  const fileOf = new Map<string, string>();
  for (const path of globSync('locales/pt-br/*.json'))
    for (const key of Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object))
      fileOf.set(key.replace(/_(?:one|many|other)$/, ''), basename(path, '.json'));
  const rooms = new Map<string, Set<string>>();
  for (const path of globSync('apps/web/src/features/**/*.{ts,tsx}').filter((one) => !one.includes('.test.'))) {
    const [, room = ''] = /features\/((?:processes\/)?[\w-]+)/.exec(path) ?? [];
    for (const [, key = ''] of readFileSync(path, 'utf8').matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g))
      if (fileOf.has(key)) rooms.set(key, (rooms.get(key) ?? new Set()).add(room));
  }
  assert.ok(rooms.size > 500);
  const borrowed = [...rooms].filter(([key, by]) => by.size > 1 && !shared.has(fileOf.get(key) ?? ''));
  assert.deepEqual(
    borrowed.map(([key, by]) => `${key} by ${[...by].join(', ')}`),
    [],
  );
});

it('English is spelled in one way, the American one', () => {
  const british =
    /cancell(?!ation)|(?:author|organ|recogn|final|real|minim|custom|summar)is(?!m|t)|colour|favour|behaviour|\bcentre\b|licence/i;
  const found = Object.entries(readMessages('locales', 'en')).filter(([, text]) => british.test(text.replaceAll(/\{\{.*?\}\}/g, '')));
  assert.deepEqual(found, []);
});

it('the apostrophe is the typographic one, but in the sentence that the specification gives', () => {
  for (const locale of locales) {
    const straight = Object.entries(readMessages('locales', locale)).filter(([, text]) => /[\p{L}}]'/u.test(text));
    assert.deepEqual(
      straight.map(([key]) => key),
      locale === 'en' ? ['process.titleRequired'] : [],
    );
  }
});

it('pages get no sentence that only terminals, mails and papers say, and say none of those', () => {
  const [sent] = [...localeFiles('locales').values()];
  const keys = Object.keys(JSON.parse(String(sent?.answer.body)) as object);
  assert.ok(keys.length > 1500);
  const elsewhere = /^(terminal|mail|report|page)\./;
  assert.deepEqual(
    keys.filter((key) => elsewhere.test(key)),
    [],
  );
  const said = globSync('apps/web/src/**/*.{ts,tsx}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/['"`]((?:terminal|mail|report|page)\.[a-zA-Z$]+)/g)].map(([, key]) => `${path}: ${key}`),
  );
  assert.deepEqual(said, []);
});

const families = (table: Record<string, string>): string[] =>
  Object.keys(table)
    .filter((key) => key.endsWith('_other'))
    .map((key) => key.slice(0, -'_other'.length));

it('a sentence with a number has every form that its language knows, and dodges none', () => {
  for (const locale of locales) {
    const table = readMessages('locales', locale);
    const forms = new Intl.PluralRules(languageTag(locale)).resolvedOptions().pluralCategories;
    const missing = families(table).flatMap((family) => forms.map((form) => `${family}_${form}`).filter((key) => !table[key]));
    assert.deepEqual(missing, [], locale);
    const dodged = Object.entries(table).filter(([, text]) => /\p{L}\((s|es|as|os|ns)\)/u.test(text));
    assert.deepEqual(dodged, [], locale);
  }
});

it('no key stands in two files of a language: a word that screens share is one', () => {
  for (const locale of ['pt-br', 'en', 'es']) {
    const keys = globSync(`locales/${locale}/*.json`).flatMap((path) => Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object));
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
  }
});

it('no key stands twice in a file, where the second would take the place of the first', () => {
  const twice = globSync('locales/*/*.json').flatMap((path) => {
    const keys = [...readFileSync(path, 'utf8').matchAll(/^ {2}("[^"]+"): /gm)].map(([, key = '']) => key);
    return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${path}: ${key}`);
  });
  assert.deepEqual(twice, []);
});
