import { fillModelText, maskCpf, modelInWords, type SignatureModel, undrawableCharacters } from '@lavra/domain';
import type { Appearance } from '@lavra/pades';
import { formatInstant } from '../language/format-instant.ts';
import { regularFont } from './fonts.ts';
import { palette } from './palette.ts';

/** Of every stamp: legible over anything, and what is below it still seen to be there. The preview has the same (`.stamp`). */
export const stampGround: NonNullable<Appearance['ground']> = { opacity: 0.88, line: rgbOf(palette.jade) };

/** What a signer's boxes show: the model filled with what was checked, never with the browser's text. `image`: null for text alone; `words`: what is said where there would be nothing. */
export function modelStamp(
  model: SignatureModel,
  facts: { name: string; cpf: string; at: Date; image: Uint8Array | null; words: string },
): Appearance & { text: string } {
  // A model of an image alone still has to say something when the signer has none.
  const template = model.customText === '' && !facts.image ? modelInWords('digital', facts.words).customText : model.customText;
  const text = fillModelText(template, {
    name: drawable(facts.name),
    cpf: maskCpf(facts.cpf),
    date: `${formatInstant(facts.at, true)} (UTC-03:00)`,
  });
  return {
    text,
    ...(facts.image ? { image: facts.image } : {}),
    imagePosition: facts.image ? model.imagePosition : 'NONE',
    ...fontOf(model.textFont, text),
    fontSize: model.textFontSize,
    padding: model.textPadding,
    alignment: model.textAlignment,
    ground: stampGround,
  };
}

function rgbOf(hex: string): readonly [number, number, number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Math.round((Number.parseInt(hex.slice(at, at + 2), 16) / 255) * 1000) / 1000,
  );
  return [red, green, blue];
}

/** Letters of the standard fonts: WinAnsi (ISO 32000-2 Annex D). */
const winAnsi = /^[\n -~\u00A0-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** Helvetica is drawn with our own embedded letters of that kind; Times and Courier by the standard fonts, unless a letter of the text is not theirs. */
function fontOf(font: SignatureModel['textFont'], text: string): Pick<Appearance, 'font' | 'fontFile'> {
  return font !== 'HELVETICA' && winAnsi.test(text.normalize('NFC')) ? { font } : { font, fontFile: regularFont };
}

/** An address or a certificate's name may be in any script; what the font lacks is shown as a question mark. */
export function drawable(text: string): string {
  return [...text].map((character) => (undrawableCharacters(character) === '' ? character : '?')).join('');
}
