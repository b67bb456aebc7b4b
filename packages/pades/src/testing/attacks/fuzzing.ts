import fc from 'fast-check';
import { PadesError } from '../../errors.ts';
import { openPdf } from '../../open-pdf.ts';
import { memorySource } from '../../source.ts';
import { verifyPdf } from '../../verify/verify-pdf.ts';
import type { Bases } from './bases.ts';
import { shownText } from './shown.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { mutations } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { setTrap, springTrap, trap } from './traps.ts';
import type { Trap } from './traps.ts';
import type { AttackWorld } from './world.ts';

/** Of this thread's own work, in milliseconds. A file of a hundred kilobytes is judged in a few; this much is a hang. */
const patience = 2000;

/** What went wrong with one mutated file, or null. */
export async function faultOf(base: Uint8Array, bytes: Uint8Array, world: AttackWorld): Promise<string | null> {
  const start = process.threadCpuUsage();
  try {
    const pdf = await openPdf(memorySource(bytes));
    const { signatures } = await verifyPdf(pdf, world.options);
    for (const { indication, end, fields } of signatures) {
      if (indication !== 'TOTAL-PASSED') continue;
      if (!samePrefix(base, bytes, end)) return `${fields.join()} passes though signed bytes changed`;
      if (!(await looksLikeSigned(pdf, bytes, end))) return `${fields.join()} passes though something else is shown`;
    }
  } catch (error) {
    if (!(error instanceof PadesError)) return String(error instanceof Error ? error.stack : error);
  }
  const { user, system } = process.threadCpuUsage(start);
  const took = (user + system) / 1000;
  return took > patience ? `took ${Math.round(took)} ms` : null;
}

/** What the file shows now is what it showed to who signed. */
async function looksLikeSigned(pdf: Pdf, bytes: Uint8Array, end: number): Promise<boolean> {
  if (end === bytes.length) return true;
  const signed = await openPdf(memorySource(bytes.slice(0, end)));
  return (await shownText(pdf)) === (await shownText(signed));
}

/**
 * True when the signed bytes are those of the base. Inside Contents only the spelling of the digits is free: the hash
 * leaves them out, and the CMS they spell is judged by itself.
 */
function samePrefix(base: Uint8Array, bytes: Uint8Array, end: number): boolean {
  for (let at = 0; at < end; at++) {
    if (base[at] !== bytes[at] && !(isHexDigit(base[at]) && isHexDigit(bytes[at]) && inContents(bytes, at))) return false;
  }
  return true;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9a-fA-F]/.test(String.fromCharCode(byte));
}

function inContents(bytes: Uint8Array, at: number): boolean {
  let start = at;
  while (start > 0 && isHexDigit(bytes[start])) start--;
  return bytes[start] === 0x3c && at - start < 64 << 10;
}

/** A property over one base; fast-check shrinks what it finds to the fewest and smallest mutations. */
export function survives(base: Uint8Array, world: AttackWorld): fc.IAsyncProperty<[Mutation[]]> {
  return fc.asyncProperty(mutations, async (steps) => {
    const bytes = steps.reduce((current, step) => step.apply(current), base);
    const fault = await faultOf(base, bytes, world);
    if (fault !== null) throw new Error(`${steps.map(({ name }) => name).join(', then ')}: ${fault}`);
  });
}

/** The same where the attacker wrote the document that was signed. */
export function survivesTraps(world: AttackWorld): fc.IAsyncProperty<[Trap, Mutation[]]> {
  const more = fc.oneof({ weight: 3, arbitrary: fc.constant<Mutation[]>([]) }, { weight: 1, arbitrary: mutations });
  return fc.asyncProperty(trap, more, async (one, steps) => {
    const base = await setTrap(one, world);
    const bytes = steps.reduce((current, step) => step.apply(current), springTrap(base, one));
    const fault = await faultOf(base, bytes, world);
    if (fault !== null) throw new Error(`${JSON.stringify(one)} ${steps.map(({ name }) => name).join(', then ')}: ${fault}`);
  });
}

export function fuzzBases({ table, stream, both, certified2, archived, compressed }: Bases): Readonly<Record<string, Uint8Array>> {
  return { table, stream, both, certified2, archived, compressed };
}
