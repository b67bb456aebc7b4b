import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

/** The same in every language. */
const names = new Set(['Lavra', 'PDF', 'CPF', 'OpenAPI 3.1', 'HH:mm']);
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

it('no sentence of the server stands in its code: nothing that is written with a diacritic of Portuguese or Spanish', () => {
  // What is no sentence, or is written once and for all: the first plan, the issuer in a certificate, words that no password may be,
  // and what a terminal says, which is Portuguese alone.
  const other = /migrations\/|authority\.ts$|known-passwords\.ts$|commands\/|src\/main\.ts$|testing\/|\.test\.ts$/;
  const literal = /(['`])((?:(?!\1)[^\\\n])*[áéíóúãõçâêôñ¿¡](?:(?!\1)[^\\\n])*)\1/gi;
  const sources = globSync('apps/server/src/**/*.ts').filter((path) => !other.test(path));
  const found = sources.flatMap((path) =>
    [
      ...readFileSync(path, 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
        .matchAll(literal),
    ].map(([, , text]) => `${path}: ${text}`),
  );
  assert.deepEqual(found, []);
});
