import type { Rect } from '@lavra/domain';
import { fileBoxes } from './draft-boxes.ts';
import type { DraftFile, ProcessDraft } from './process-draft.ts';

/** A box that stands on a page of a document. */
export interface StandingBox {
  key: string;
  signerId: string;
  page: number;
  rect: Rect;
}

/** Everybody's boxes on a document that have a place. */
export function standingBoxes(draft: ProcessDraft, file: DraftFile): StandingBox[] {
  return draft.signers.flatMap((signer) =>
    fileBoxes(draft, signer, file).flatMap(({ key, box: { page, rect } }) =>
      page === null || rect === null ? [] : [{ key, signerId: signer.id, page, rect }],
    ),
  );
}

/** Edges that touch, and letters that hang over by a hair, cover nothing. Points. */
const SLACK = 1;

export function overlaps(one: Rect, other: Rect): boolean {
  return (
    one.x + one.width - SLACK > other.x &&
    other.x + other.width - SLACK > one.x &&
    one.y + one.height - SLACK > other.y &&
    other.y + other.height - SLACK > one.y
  );
}

/** The boxes that lie on another box of the same page. */
export function boxesOnBoxes(boxes: readonly StandingBox[]): Set<string> {
  const found = new Set<string>();
  for (const one of boxes)
    for (const other of boxes) if (one !== other && one.page === other.page && overlaps(one.rect, other.rect)) found.add(one.key);
  return found;
}

/** The boxes that lie on words. `words`: by page, where they stand. */
export function boxesOnWords(boxes: readonly StandingBox[], words: ReadonlyMap<number, readonly Rect[]>): Set<string> {
  return new Set(boxes.filter(({ page, rect }) => words.get(page)?.some((word) => overlaps(rect, word))).map(({ key }) => key));
}

/** A piece of text as the drawing engine tells it. */
interface TextItem {
  str: string;
  transform: readonly number[];
  width: number;
  height: number;
}

/** Where words stand on a page. Lines to sign on (underscores, dots, hyphens) are no words. */
export function wordRects(items: readonly TextItem[]): Rect[] {
  return items.flatMap(({ str, transform, width, height }) => {
    const [a = 1, b = 0, , , x = 0, y = 0] = transform;
    if (/^[\s_.\-–—…]*$/u.test(str)) return [];
    // Written upwards or downwards: as long as it is high.
    if (Math.abs(b) > Math.abs(a)) return [{ x: b > 0 ? x - height : x, y: b > 0 ? y : y - width, width: height, height: width }];
    return [{ x: a < 0 ? x - width : x, y, width, height }];
  });
}
