import { undrawableCharacters } from './drawable-letters.ts';
import { DomainError } from './errors.ts';
import { limits } from './limits.ts';
import { cleanLine } from './one-line.ts';
import type { Modality } from './signature-process.ts';

export const imagePositions = ['LEFT', 'RIGHT', 'TOP', 'BOTTOM', 'BACKGROUND', 'NONE'] as const;
export const textFonts = ['HELVETICA', 'TIMES_ROMAN', 'COURIER'] as const;
export const textAlignments = ['LEFT', 'RIGHT', 'CENTER'] as const;

/** Appearance template of a visible signature (section 3). Lengths in points. */
export interface SignatureModel {
  name: string;
  width: number;
  height: number;
  /** NONE: text only. */
  imagePosition: (typeof imagePositions)[number];
  /** May hold the placeholders below. Empty: image only. */
  customText: string;
  textFont: (typeof textFonts)[number];
  textFontSize: number;
  textPadding: number;
  textAlignment: (typeof textAlignments)[number];
}

/** Certificate common name without CPF, the CPF, the signing date. */
export const placeholders = {
  name: '$CERT_CN_WO_CPF$',
  cpf: '$CERT_CPF$',
  date: '$SIGN_DATE$',
} as const;

/** The default of section 9 for electronic signatures: image beside text, Helvetica 6, 150 × 75 pt. */
export const defaultElectronicModel: SignatureModel = {
  name: 'Meu modelo',
  width: 150,
  height: 75,
  imagePosition: 'TOP',
  customText: `Assinado eletronicamente por:\n${placeholders.name}\nCPF: ${placeholders.cpf}\n${placeholders.date}`,
  textFont: 'HELVETICA',
  textFontSize: 6,
  textPadding: 5,
  textAlignment: 'LEFT',
};

/** The default of section 9 for signatures with a certificate: text beside the signer's picture, or alone without one. */
export const defaultDigitalModel: SignatureModel = {
  ...defaultElectronicModel,
  imagePosition: 'LEFT',
  customText: `Assinado digitalmente por:\n${placeholders.name}\nCPF: ${placeholders.cpf}\n${placeholders.date}`,
};

/** Of what we draw of our own accord: read on a printed page without a glass, the name on the picture's edge. */
const legible = { imagePosition: 'TOP', textFontSize: 7.5 } as const;

/** What is drawn where the creator chose no model; its words are the process's language's (`modelInWords`). */
export const defaultModels: Readonly<Record<Modality, SignatureModel>> = {
  digital: { ...defaultDigitalModel, ...legible },
  electronic: { ...defaultElectronicModel, ...legible },
};

/** What is drawn where the creator chose no model, in the words of a language. */
export function modelInWords(modality: Modality, words: string): SignatureModel {
  return { ...defaultModels[modality], customText: composeModelText({ words, name: true, cpf: true, date: true }) };
}

/** Fills the placeholders, in one pass: a name that looks like a placeholder stays a name. A text without them comes back as it is. */
export function fillModelText(text: string, values: { name: string; cpf: string; date: string }): string {
  const known = new Map<string, string>([
    [placeholders.name, values.name],
    [placeholders.cpf, values.cpf],
    [placeholders.date, values.date],
  ]);
  return text.replaceAll(/\$[A-Z_]+\$/g, (found) => known.get(found) ?? found);
}

/** The editor's view of a text: words of one's own, and which facts of the certificate stand below them, a line each. */
export interface ModelText {
  words: string;
  name: boolean;
  cpf: boolean;
  date: boolean;
}

const factLines = [
  ['name', placeholders.name],
  ['cpf', `CPF: ${placeholders.cpf}`],
  ['date', placeholders.date],
] as const;

export function composeModelText(text: ModelText): string {
  const facts = factLines.filter(([fact]) => text[fact]).map(([, line]) => line);
  return [...(text.words === '' ? [] : [text.words]), ...facts].join('\n');
}

/** Inverse of `composeModelText`; what was arranged otherwise is all words, so that saving again changes nothing. */
export function splitModelText(customText: string): ModelText {
  const lines = customText === '' ? [] : customText.split('\n');
  const has = { name: false, cpf: false, date: false };
  for (const [fact, line] of factLines.toReversed()) {
    if (lines.at(-1) !== line) continue;
    lines.pop();
    has[fact] = true;
  }
  const text = { words: lines.join('\n'), ...has };
  return composeModelText(text) === customText ? text : { words: customText, name: false, cpf: false, date: false };
}

const measures = [
  ['width', limits.modelWidthMin, limits.modelSideMax],
  ['height', limits.modelHeightMin, limits.modelSideMax],
  ['textFontSize', limits.modelFontSizeMin, limits.modelFontSizeMax],
  ['textPadding', limits.modelPaddingMin, limits.modelPaddingMax],
] as const;
export type ModelMeasure = (typeof measures)[number][0];

/** A measure as the editor keeps it: not under its minimum nor over its maximum; what is no number becomes the minimum. */
export function correctMeasure(measure: ModelMeasure, value: number): number {
  const [, min, max] = measures.find(([name]) => name === measure) ?? measures[0];
  return Number.isFinite(value) ? Math.min(Math.max(value, min), max) : min;
}

/**
 * A model fit to be kept: name trimmed, line ends as `\n`.
 * @throws DomainError text.invisible; model.nameRequired, nameTooLong, textUndrawable; model.invalid: a measure out of its bounds, a text too long, or neither image nor text
 */
export function checkedModel(model: SignatureModel): SignatureModel {
  const name = cleanLine(model.name, 'name');
  if (name === '') throw new DomainError('model.nameRequired', { field: 'name' });
  if (name.length > limits.nameMax) throw new DomainError('model.nameTooLong', { field: 'name', params: { max: limits.nameMax } });
  for (const [measure] of measures) {
    if (correctMeasure(measure, model[measure]) !== model[measure]) throw new DomainError('model.invalid', { field: measure });
  }
  const trimmed = model.customText.replaceAll(/\r\n?/g, '\n');
  const customText = trimmed.trim() === '' ? '' : trimmed;
  if (customText.length > limits.modelTextMax) throw new DomainError('model.invalid', { field: 'customText' });
  if (customText === '' && model.imagePosition === 'NONE') throw new DomainError('model.invalid', { field: 'customText' });
  const characters = undrawableCharacters(customText.replaceAll('\n', ''));
  if (characters !== '') throw new DomainError('model.textUndrawable', { field: 'customText', params: { characters } });
  return { ...model, name, customText };
}
