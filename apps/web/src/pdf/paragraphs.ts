/** What the PDF engine tells of a run of letters on a page (points of its user space, y upwards). */
export interface TextRun {
  str: string;
  hasEOL: boolean;
  /** Matrix; the last two are where it begins. */
  transform: readonly number[];
  height: number;
}

/** A page may carry far more than anybody listens to, or than a browser should lay out unseen. */
const MOST_LETTERS = 40_000;

/**
 * The words of a page in the order in which its file has them, by paragraphs: a gap of more than a line and a half, or a step upwards
 * (another column), begins another.
 */
export function paragraphsOf(runs: readonly TextRun[]): string[] {
  const paragraphs: string[] = [];
  let text = '';
  let line: { y: number; height: number } | null = null;
  let letters = 0;
  const end = () => {
    const words = text.replaceAll(/\s+/g, ' ').trim();
    if (words !== '') paragraphs.push(words);
    text = '';
  };
  for (const { str, hasEOL, transform, height } of runs) {
    const y = transform[5] ?? 0;
    if (str.trim() !== '') {
      const step = line ? line.y - y : 0;
      const most = 1.6 * Math.max(line?.height ?? 0, height, 1);
      if (line && (step > most || step < -most)) end();
      line = { y, height };
    }
    text += hasEOL ? `${str} ` : str;
    letters += str.length;
    if (letters > MOST_LETTERS) {
      text += '…';
      break;
    }
  }
  end();
  return paragraphs;
}
