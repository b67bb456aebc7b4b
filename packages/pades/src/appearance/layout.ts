import type { Appearance, TextAlignment } from './appearance.ts';

/** Lines are this many times the font size apart. */
export const lineSpacing = 1.1;
const smallestSize = 3;

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where an appearance puts things, in points from the box's lower left corner. */
export interface Layout {
  /** Where the image is drawn, its proportions kept. */
  readonly image: Area | null;
  readonly fontSize: number;
  /** (x, y) is the beginning of the baseline. */
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
}

interface Metrics {
  ascent: number;
  descent: number;
  width(text: string): number;
}

/**
 * Places image and text in a box of `size`, origin lower left. Beside each other (LEFT, RIGHT) each gets half the
 * width; above each other (TOP, BOTTOM) the text gets the height it needs, up to two thirds, and the image the rest;
 * there the image keeps the text's edge. BACKGROUND gives both the whole box. A missing half leaves the whole box to the other.
 */
export function layoutAppearance(
  appearance: Appearance,
  size: { width: number; height: number },
  image: { width: number; height: number } | null,
  font: Metrics,
): Layout {
  const padding = Math.min(appearance.padding ?? 5, size.width / 3, size.height / 3);
  const inner = inset(size, padding);
  const text = appearance.text ?? '';
  const position = appearance.imagePosition ?? 'LEFT';
  const shown = position === 'NONE' ? null : image;
  if (text === '') return { image: shown && contain(shown, inner), fontSize: 0, lines: [] };
  const wanted = appearance.fontSize ?? 6;
  if (shown === null) return { image: null, ...placeText(appearance, text, wanted, inner, font) };
  if (position === 'BACKGROUND') {
    return { image: contain(shown, inner), ...placeText(appearance, text, wanted, inner, font) };
  }
  const [imageArea, textArea] = split(position, inner, padding, text, wanted, font);
  return {
    image: contain(shown, imageArea, position === 'TOP' || position === 'BOTTOM' ? (appearance.alignment ?? 'LEFT') : 'CENTER'),
    ...placeText(appearance, text, wanted, textArea, font),
  };
}

function inset(size: { width: number; height: number }, padding: number): Area {
  return {
    x: padding,
    y: padding,
    width: size.width - 2 * padding,
    height: size.height - 2 * padding,
  };
}

function split(
  position: 'LEFT' | 'RIGHT' | 'TOP' | 'BOTTOM' | string,
  inner: Area,
  padding: number,
  text: string,
  fontSize: number,
  font: Metrics,
): [image: Area, text: Area] {
  if (position === 'LEFT' || position === 'RIGHT') {
    const width = (inner.width - padding) / 2;
    const left = { ...inner, width };
    const right = { ...inner, x: inner.x + width + padding, width };
    return position === 'LEFT' ? [left, right] : [right, left];
  }
  const gap = padding / 2;
  const needed = wrap(text, inner.width, fontSize, font).length * fontSize * lineSpacing;
  const textHeight = Math.min(needed, ((inner.height - gap) * 2) / 3);
  const imageHeight = inner.height - gap - textHeight;
  const lower = (height: number): Area => ({ ...inner, height });
  const upper = (height: number): Area => ({
    ...inner,
    y: inner.y + inner.height - height,
    height,
  });
  return position === 'TOP' ? [upper(imageHeight), lower(textHeight)] : [lower(imageHeight), upper(textHeight)];
}

/** As large as it can be; above or below a text it begins, ends or is centred where the text's lines are. */
function contain(image: { width: number; height: number }, area: Area, alignment: TextAlignment = 'CENTER'): Area {
  const scale = Math.min(area.width / image.width, area.height / image.height);
  const width = image.width * scale;
  const height = image.height * scale;
  return {
    x: area.x + shiftOf(area.width - width, alignment),
    y: area.y + (area.height - height) / 2,
    width,
    height,
  };
}

function shiftOf(free: number, alignment: TextAlignment): number {
  return { LEFT: 0, CENTER: free / 2, RIGHT: free }[alignment];
}

function placeText(
  appearance: Appearance,
  text: string,
  wanted: number,
  area: Area,
  font: Metrics,
): { fontSize: number; lines: Layout['lines'] } {
  let fontSize = wanted;
  let wrapped = wrap(text, area.width, fontSize, font);
  while (wrapped.length * fontSize * lineSpacing > area.height + 0.01 && fontSize > smallestSize) {
    fontSize = Math.max(smallestSize, fontSize - 0.5);
    wrapped = wrap(text, area.width, fontSize, font);
  }
  const leading = fontSize * lineSpacing;
  const glyphs = (font.ascent + font.descent) * fontSize;
  const top = area.y + area.height - (area.height - wrapped.length * leading) / 2;
  const firstBaseline = top - (leading - glyphs) / 2 - font.ascent * fontSize;
  const lines = wrapped.map((line, index) => {
    const free = area.width - font.width(line) * fontSize;
    return { text: line, x: area.x + shiftOf(free, appearance.alignment ?? 'LEFT'), y: firstBaseline - index * leading };
  });
  return { fontSize, lines: lines.filter((line) => line.text !== '') };
}

/** Breaks at line ends and words; a word wider than the line is broken inside. */
export function wrap(text: string, width: number, fontSize: number, font: Metrics): string[] {
  const fits = (candidate: string): boolean => font.width(candidate) * fontSize <= width + 0.001;
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = '';
    for (const word of paragraph.split(/[ \t]+/).flatMap((item) => pieces(item, fits))) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (line === '' || fits(joined)) line = joined;
      else {
        lines.push(line);
        line = word;
      }
    }
    lines.push(line);
  }
  return lines;
}

function pieces(word: string, fits: (text: string) => boolean): string[] {
  if (fits(word)) return [word];
  const result: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && !fits(piece + character)) {
      result.push(piece);
      piece = '';
    }
    piece += character;
  }
  if (piece !== '') result.push(piece);
  return result;
}
