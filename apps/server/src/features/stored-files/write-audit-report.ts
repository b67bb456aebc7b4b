import type { System } from '../../access/actor.ts';
import type { Words } from '../../language/terminal.ts';
import { type Audited, auditAll, listUnknown } from './audit-blobs.ts';

/** Where the table goes, and in which words. */
interface Report {
  write(line: string): void;
  say: Words;
}

const column = (text: string | number, width: number) => String(text).padStart(width);

/**
 * Checks every stored file and writes a plain table: by kind how many there are, how large, how many at fault; then each
 * fault, and the files that nobody knows. Answers how many are at fault.
 */
export async function writeAuditReport(ctx: Audited, _actor: System, { write, say }: Report): Promise<number> {
  const kinds = new Map<string, { files: number; bytes: number; faults: number }>();
  const lines: string[] = [];
  for await (const { hash, size, kind, fault } of auditAll(ctx)) {
    const name = kind ?? 'unreferenced';
    const sum = kinds.get(name) ?? { files: 0, bytes: 0, faults: 0 };
    kinds.set(name, sum);
    sum.files += 1;
    sum.bytes += size ?? 0;
    if (!fault) continue;
    sum.faults += 1;
    lines.push(`${hash}  ${name.padEnd(12)} ${say(`fault.${fault}`)}`);
  }
  let unknown = 0;
  let unknownBytes = 0;
  for await (const { size } of listUnknown(ctx)) {
    unknown += 1;
    unknownBytes += size;
  }
  write(`${say('audit.kind').padEnd(14)}${column(say('audit.files'), 10)}${column('bytes', 18)}${column(say('audit.faulty'), 14)}`);
  for (const [name, sum] of [...kinds].toSorted())
    write(`${name.padEnd(14)}${column(sum.files, 10)}${column(sum.bytes, 18)}${column(sum.faults, 14)}`);
  write(`${say('audit.unknown').padEnd(14)}${column(unknown, 10)}${column(unknownBytes, 18)}${column('-', 14)}`);
  if (lines.length > 0) write('');
  for (const line of lines) write(line);
  return lines.length;
}
