import { clampToPage, type PageGeometry, type Rect, toDisplay, toUserSpace } from '@lavra/domain';
import type { BoxPlace } from '../../../pdf/placement.ts';
import { fileBoxes } from './draft-boxes.ts';
import type { DraftBox, DraftFile, ProcessDraft, SignerDraft } from './process-draft.ts';

/** The pages of the draft's files by the file's id, as far as they have been read. */
export type FilePages = ReadonlyMap<string, readonly PageGeometry[]>;

/** The same corner of another page, as a reader sees both, and the same size where there is room. */
function sameSpot(rect: Rect, from: PageGeometry, to: PageGeometry): Rect {
  return toUserSpace(clampToPage(toDisplay(rect, from), to), to);
}

/** Key of a signer's choice for a document. */
export function choiceKey(signerId: string, fileId: string): string {
  return `${signerId}/${fileId}`;
}

/** The boxes that a signer gets on the other pages of a document: copies of the first one, where that was asked for. */
export function pageCopies(draft: ProcessDraft, signer: SignerDraft, file: DraftFile, pages: readonly PageGeometry[]): BoxPlace[] {
  const [first] = fileBoxes(draft, signer, file);
  if (!draft.everyPage[choiceKey(signer.id, file.id)] || !first || first.box.page === null || first.box.rect === null) return [];
  return copiesOf({ page: first.box.page, rect: first.box.rect }, pages);
}

/** The same place on every other page. */
export function copiesOf({ page, rect }: BoxPlace, pages: readonly PageGeometry[]): BoxPlace[] {
  const from = pages[page - 1];
  if (!from) return [];
  return pages.flatMap((to, index) => (index + 1 === page ? [] : [{ page: index + 1, rect: sameSpot(rect, from, to) }]));
}

/**
 * A signer's places in one document, repeated in every other: at the same spot of the page of the same number, or of the last page
 * where they stand on the last one. What stood in the others gives way.
 */
export function repeatedBoxes(
  draft: ProcessDraft,
  signer: SignerDraft,
  source: DraftFile,
  filePages: FilePages,
): Pick<ProcessDraft, 'boxes' | 'everyPage' | 'realSignature'> {
  const boxes: Record<string, DraftBox> = { ...draft.boxes };
  const everyPage = { ...draft.everyPage };
  const realSignature = { ...draft.realSignature };
  const own = fileBoxes(draft, signer, source);
  const from = filePages.get(source.id) ?? [];
  for (const file of draft.files.filter(({ id }) => id !== source.id)) {
    const to = filePages.get(file.id) ?? [];
    const targets = fileBoxes(draft, signer, file);
    own.forEach(({ box }, repetition) => {
      const target = targets[repetition];
      const before = box.page === null ? undefined : from[box.page - 1];
      if (!target || box.page === null || box.rect === null || !before) return;
      const page = box.page === from.length ? to.length : Math.min(box.page, to.length);
      const there = to[page - 1];
      if (there) boxes[target.key] = { state: 'ready', page, rect: sameSpot(box.rect, before, there) };
    });
    const [here, other] = [choiceKey(signer.id, source.id), choiceKey(signer.id, file.id)];
    if (everyPage[here] !== undefined) everyPage[other] = everyPage[here];
    if (realSignature[here] !== undefined) realSignature[other] = realSignature[here];
  }
  return { boxes, everyPage, realSignature };
}
