import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelled } from './labelled.ts';
import { type Texts, textsFor } from './texts.ts';

const languages = ['pt-br', 'en', 'es'].map((name) => textsFor({ LAVRA_LANGUAGE: name }));

/** Every sentence of a table that stands as such, by its path. */
function sentences(part: object, path = ''): [string, string][] {
  return Object.entries(part).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'string') return [[`${path}.${key}`, value]];
    return typeof value === 'object' && value !== null ? sentences(value as object, `${path}.${key}`) : [];
  });
}

test('a language that is none of ours is Portuguese', () => {
  assert.deepEqual(
    [{}, { LAVRA_LANGUAGE: 'klingon' }, { LAVRA_LANGUAGE: 'en' }, { LAVRA_LANGUAGE: 'es' }].map((one) => textsFor(one).language),
    ['pt-BR', 'pt-BR', 'en-GB', 'es'],
  );
});

test('each language says the same things, each in its own words', () => {
  const [portuguese = [], ...others] = languages.map((one) => sentences(one));
  for (const other of others)
    assert.deepEqual(
      other.map(([path]) => path),
      portuguese.map(([path]) => path),
    );
  const english = new Map(others[0]);
  for (const [path, sentence] of portuguese) if (sentence.length > 25) assert.notEqual(english.get(path), sentence, path);
});

test('usage names the same options in every language', () => {
  const options = ({ commands }: Texts) => Object.values(commands).map(({ usage }) => usage.match(/--[\w-]+/g)?.toSorted());
  for (const one of languages) assert.deepEqual(options(one), options(textsFor({})));
});

test('what a report tells stands in one column', () => {
  for (const one of languages) {
    const kinds = Object.keys(one.report.labels) as (keyof Texts['report']['labels'])[];
    assert.equal(new Set(kinds.map((kind) => labelled(one, kind, '§').indexOf('§'))).size, 1, one.language);
  }
});
