import type { Rect } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { boxesOnBoxes, boxesOnWords, standingBoxes, wordRects } from './covered-boxes.ts';
import { openPages } from './file-pages.ts';
import type { DraftFile, ProcessDraft } from './process-draft.ts';

/** What a signer's boxes lie on. */
export type Covered = 'box' | 'words';

/** Pages whose words have been read, by file. */
type Words = ReadonlyMap<number, readonly Rect[]>;

/** Of the document that is shown: which boxes lie on another box, or on words of the page. */
export function useCovered(draft: ProcessDraft, file: DraftFile | undefined): ReadonlyMap<string, Covered> {
  const [read, setRead] = useState<{ file: File; words: Words } | null>(null);
  const boxes = file ? standingBoxes(draft, file) : [];
  const words: Words = read && read.file === file?.file ? read.words : new Map();
  const missing = boxes.find(({ page }) => !words.has(page))?.page;
  useEffect(() => {
    if (!file || missing === undefined) return undefined;
    let current = true;
    void readWords(file.file, missing).then((rects) => {
      if (!current) return;
      setRead((known) => ({ file: file.file, words: new Map(known?.file === file.file ? known.words : []).set(missing, rects) }));
    });
    return () => {
      current = false;
    };
  }, [file, missing]);
  const covered = new Map<string, Covered>();
  for (const key of boxesOnWords(boxes, words)) covered.set(key, 'words');
  for (const key of boxesOnBoxes(boxes)) covered.set(key, 'box');
  return covered;
}

/** A page that cannot be read has no words to warn of. */
async function readWords(file: File, number: number): Promise<Rect[]> {
  const page = await (await openPages(file))?.getPage(number).catch(() => null);
  const text = await page?.getTextContent().catch(() => null);
  return wordRects((text?.items ?? []).flatMap((item) => ('str' in item ? [item] : [])));
}
