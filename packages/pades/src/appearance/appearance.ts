/** Where the image stands relative to the text. */
export type ImagePosition = 'LEFT' | 'RIGHT' | 'TOP' | 'BOTTOM' | 'BACKGROUND' | 'NONE';
/** The standard fonts that need no file (ISO 32000-2 §9.6.2.2); letters of WinAnsi only. Default: HELVETICA. */
export type TextFontName = 'HELVETICA' | 'TIMES_ROMAN' | 'COURIER';
/** Of the lines in the box. */
export type TextAlignment = 'LEFT' | 'RIGHT' | 'CENTER';

/**
 * What a box shows: an image, text, or both. Lengths in points, drawn upright as the reader sees the page.
 * Text is vector and can be selected. `\n` breaks a line; longer lines wrap at words.
 */
export interface Appearance {
  /** PNG or JPEG; left out, or position NONE: text only. */
  readonly image?: Uint8Array;
  /** Left out or empty: image only. */
  readonly text?: string;
  /** Default: LEFT. */
  readonly imagePosition?: ImagePosition;
  readonly font?: TextFontName;
  /** A TrueType or OpenType file to embed (subset) in place of the standard font, e.g. a metric-compatible one. */
  readonly fontFile?: Uint8Array;
  /** Default 6. Lines are 1.1 × size apart. Made smaller, down to 3, when the text would not fit otherwise. */
  readonly fontSize?: number;
  /** Distance between the box and what is in it; default 5. */
  readonly padding?: number;
  readonly alignment?: TextAlignment;
  /** RGB, 0 to 1; default black. */
  readonly color?: readonly [number, number, number];
  /** Left out: nothing lies between the page and what is drawn. */
  readonly ground?: AppearanceGround;
}

/** A white ground within a hairline, so that what is drawn can be read over anything. */
export interface AppearanceGround {
  /** How much of the page it hides, 0 to 1; all of it in files in which nothing may shine through. */
  readonly opacity: number;
  /** The line's colour: RGB, 0 to 1. */
  readonly line: readonly [number, number, number];
}
