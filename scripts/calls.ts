// Prints docs/calls.md, docs/roles.md and the words of the wire's description anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTable, roleTable } from './call-table.ts';
import { callWords } from './call-words.ts';

const root = join(import.meta.dirname, '..');
writeFileSync(join(root, 'docs/calls.md'), callTable());
writeFileSync(join(root, 'docs/roles.md'), roleTable());
writeFileSync(join(root, 'apps/server/src/http/openapi/call-words.ts'), callWords());
