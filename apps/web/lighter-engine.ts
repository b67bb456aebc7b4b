import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify, parseAst, type Plugin } from 'vite';

/** Where the words are that compressed streams of one rare kind leave out (RFC 7932, appendix A): fetched by the first file that has one. */
export const DICTIONARY_PATH = 'pdf/brotli-dictionary.txt';

const XFA = /^;\/\/ \.\/src\/core\/xfa\//;
const BROTLI = /^;\/\/ \.\/external\/brotli\/decode\.js/;
const DECLARED = /^(?:async )?(?:class|function\*?|const|let|var) ([\w$]+)/gm;
/** The one thing of it that all else names: forms of that kind are never drawn here (`enableXfa: false`), nor notes as rich text. */
const WITHOUT_XFA = `const XFAFactory = { getRichTextAsHtml: () => null };\n`;
const DICTIONARY = /(?<=unpackDictionaryData\(dictionaryData, )("(?:[^"\\\n]|\\.)*"), ("(?:[^"\\\n]|\\.)*")(?=, )/;
const DECODER = 'let BrotliDecode = makeBrotliDecode();';
const CHANGED = '/* Changed for Lavra: without src/core/xfa, the dictionary of external/brotli in a file of its own. */';
const FETCHED = `
let brotliDecoder = null;
function BrotliDecode(bytes) {
  brotliDecoder ??= makeBrotliDecode();
  return brotliDecoder(bytes);
}
function fetchDictionary() {
  const request = new XMLHttpRequest();
  request.open('GET', '/${DICTIONARY_PATH}', false);
  request.send();
  if (request.status !== 200) throw new Error('no dictionary: ' + request.status);
  return JSON.parse(request.responseText);
}
`;

export interface LighterEngine {
  script: string;
  dictionary: string;
  /** Its makers' licence asks that it stays, and that what was changed is told (Apache-2.0, section 4). */
  notice: string;
}

/**
 * What reads PDFs, without the forms in XML that are never drawn and with the dictionary of Brotli apart: 100 kB less on the wire of 326 before
 * a signer sees a page. All else is as its makers wrote it; a version of theirs that is put together otherwise ends the build.
 */
export function lighterEngine(whole: string): LighterEngine {
  const sections = whole.split(/^(?=;\/\/ \.\/)/m);
  const forms = sections.filter((section) => XFA.test(section));
  const [decoder, ...more] = sections.filter((section) => BROTLI.test(section));
  const [, ...words] = (decoder && DICTIONARY.exec(decoder)) ?? [];
  const notice = /^\s*(\/\*\*[^]*?\*\/)/.exec(whole)?.[1];
  if (!notice?.includes('Licensed under') || forms.length === 0 || !decoder?.includes(DECODER) || more.length > 0 || words.length !== 2)
    throw new Error('pdf.js is put together in another way than it was');
  const lighter = decoder.replace(DICTIONARY, '...fetchDictionary()').replace(DECODER, FETCHED);
  const script = sections
    .filter((section) => !forms.includes(section))
    .map((section) => (section === decoder ? WITHOUT_XFA + lighter : section))
    .join('');
  const gone = forms.flatMap((section) => [...section.matchAll(DECLARED)].flatMap(([, name = '']) => name));
  const missed = gone.filter((name) => name !== 'XFAFactory' && isNamed(script, name));
  if (missed.length > 0) throw new Error(`pdf.js wants of its forms in XML: ${missed.join(', ')}`);
  return { script, dictionary: JSON.stringify(words.map(written)), notice: `${notice}\n${CHANGED}\n` };
}

/** What a string written in a script says. */
function written(word: string): string {
  const [statement] = parseAst(`(${word})`).body;
  if (statement?.type !== 'ExpressionStatement' || statement.expression.type !== 'Literal') throw new Error('no string');
  return String(statement.expression.value);
}

/** Called, built or extended somewhere, which a word in a string or of a member is not. */
function isNamed(script: string, name: string): boolean {
  const word = name.replaceAll('$', String.raw`\$`);
  return new RegExp(
    String.raw`(?:new |extends |instanceof |\[)${word}(?![\w$])|(?<![\w$.#*]|function |async |get |set |static |^ +)${word}\(`,
    'm',
  ).test(script);
}

/** The pages' own copy of what reads PDFs, made while they are built. */
export function lighterPdfEngine(): Plugin {
  const whole = fileURLToPath(import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.mjs'));
  const made = join(dirname(whole), '../../../.cache/lavra/pdf.worker.min.mjs');
  let dictionary = '';
  return {
    name: 'lighter-pdf-engine',
    apply: 'build',
    async config() {
      const lighter = lighterEngine(readFileSync(whole, 'utf8'));
      const { code, errors } = await minify('pdf.worker.mjs', lighter.script, { module: true, compress: true, mangle: true });
      if (errors.length > 0) throw new Error(errors[0]?.message);
      mkdirSync(dirname(made), { recursive: true });
      writeFileSync(made, lighter.notice + code);
      dictionary = lighter.dictionary;
      return { resolve: { alias: [{ find: /^pdfjs-dist\/legacy\/build\/pdf\.worker\.min\.mjs(?=\?url$)/, replacement: made }] } };
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: DICTIONARY_PATH, source: dictionary });
    },
  };
}
