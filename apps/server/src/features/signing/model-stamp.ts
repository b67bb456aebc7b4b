import { fillModelText, maskCpf, type SignatureModel, undrawableCharacters } from '@lavra/domain';
import type { Appearance } from '@lavra/pades';
import { formatInstant } from '../processes/format-instant.ts';
import { regularFont } from './pdf-fonts.ts';

/** What a signer's boxes show: the model filled with what was checked, never with the browser's text. `image`: null for text alone. */
export function modelStamp(
  model: SignatureModel,
  facts: { name: string; cpf: string; at: Date; image: Uint8Array | null },
): Appearance & { text: string } {
  const text = fillModelText(model.customText, {
    name: drawable(facts.name),
    cpf: maskCpf(facts.cpf),
    date: `${formatInstant(facts.at, true)} (UTC-03:00)`,
  });
  return {
    text,
    ...(facts.image ? { image: facts.image } : {}),
    imagePosition: facts.image ? model.imagePosition : 'NONE',
    font: model.textFont,
    fontFile: regularFont,
    fontSize: model.textFontSize,
    padding: model.textPadding,
    alignment: model.textAlignment,
  };
}

/** An address or a certificate's name may be in any script; what the font lacks is shown as a question mark. */
export function drawable(text: string): string {
  return [...text].map((character) => (undrawableCharacters(character) === '' ? character : '?')).join('');
}
