// Prints docs/calls.md and docs/roles.md anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTable, roleTable } from './call-table.ts';

writeFileSync(join(import.meta.dirname, '../docs/calls.md'), callTable());
writeFileSync(join(import.meta.dirname, '../docs/roles.md'), roleTable());
