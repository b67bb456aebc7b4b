// Prints docs/calls.md anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTable } from './call-table.ts';

writeFileSync(join(import.meta.dirname, '../docs/calls.md'), callTable());
