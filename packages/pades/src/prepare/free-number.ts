import { PdfRef } from '../pdf/objects.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { eachReferred } from '../pdf/references.ts';
import { otherReferences } from '../pdf/spelled-references.ts';

/** More than all revisions of a file use: what is referred to beyond them never comes true. */
const reach = 1_000_000;
const turn = 4096;

/**
 * The first object number that nothing in the file uses or speaks of. A reference that leads to nothing (a page's font that was removed, a
 * trap) would lead to what is appended under its number, in this revision or in one behind somebody's signature.
 */
export async function freeNumber(pdf: Pdf): Promise<number> {
  const next = pdf.nextObjectNumber;
  let free = next;
  const met = new Set<number>();
  const queue: number[] = [];
  const meet = (num: number): void => {
    if (met.has(num)) return;
    met.add(num);
    if (num < next) queue.push(num);
    else if (num < next + reach) free = Math.max(free, num + 1);
  };
  for (const key of ['Root', 'Info']) {
    const value = pdf.trailer.get(key);
    if (value instanceof PdfRef) meet(value.num);
  }
  let steps = 0;
  for (let num = queue.pop(); num !== undefined; num = queue.pop()) {
    // A large document takes a while: others get their turn.
    if (++steps % turn === 0) await new Promise((resolve) => setTimeout(resolve));
    eachReferred(await pdf.object(num), meet);
    // Our verifier does not believe a reader to find but one meaning in it.
    const object = await pdf.strictObject(num);
    for (const other of object === undefined ? [] : await otherReferences(pdf, num, object)) meet(other);
  }
  return free;
}
