import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { everyCall } from '../apps/server/src/http/openapi/every-call.ts';

const sources = join(import.meta.dirname, '../packages/api/src');

interface Words {
  room: string;
  says: string;
}

/** The docstring of everything that `packages/api` declares as a call or an entity, and the file that it stands in. */
function declaredWords(): Map<string, Words> {
  const found = new Map<string, Words>();
  const declaration = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const (\w+) = define(?:Call|Entity)\(/g;
  for (const path of globSync('*.ts', { cwd: sources }).toSorted()) {
    for (const [, comment = '', name = ''] of readFileSync(join(sources, path), 'utf8').matchAll(declaration)) {
      const says = comment
        .replaceAll(/^\s*\*\s?/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
      found.set(name, { room: basename(path, '.ts'), says });
    }
  }
  return found;
}

const acts: Readonly<Record<string, string>> = {
  list: 'A page of the list.',
  search: 'A page of those in which all words are found.',
  get: 'One.',
  create: 'Makes one.',
  update: 'Changes one.',
  patch: 'Changes some of its fields.',
  remove: 'Deletes one.',
};

/** `call-words.ts`: what is told of each call to those who read the description of the wire. */
export function callWords(): string {
  const declared = declaredWords();
  const lines = [...everyCall.keys()].toSorted().map((name) => {
    const [owner = '', act] = name.split('.');
    const { room, says } = declared.get(owner) ?? { room: owner, says: '' };
    const told = act === undefined ? says : `${acts[act] ?? `${act}.`} ${says}`.trim();
    return `  ${JSON.stringify(name)}: ${JSON.stringify({ room, says: told })},`;
  });
  return `// Printed from the docstrings of packages/api by \`npm run calls\`; a test compares.
/** The room of packages/api that a call stands in, and what is said of it there. */
export const callWords: Readonly<Record<string, { readonly room: string; readonly says: string }>> = {
${lines.join('\n')}
};
`;
}
