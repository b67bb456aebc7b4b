import {
  composeModelText,
  correctMeasure,
  defaultDigitalModel,
  type ModelMeasure,
  type ModelText,
  type SignatureModel,
  splitModelText,
} from '@lavra/domain';

export const modelTypes = ['imageAndText', 'image', 'text'] as const;

/** What the editor's fields hold; measures as they are typed. */
export interface ModelForm {
  name: string;
  type: (typeof modelTypes)[number];
  imagePosition: Exclude<SignatureModel['imagePosition'], 'NONE'>;
  text: ModelText;
  textFont: SignatureModel['textFont'];
  textAlignment: SignatureModel['textAlignment'];
  measures: Record<ModelMeasure, string>;
}

/** Size of the text when a model without one is opened (section 9). */
const FONT_SIZE_WITHOUT_TEXT = 12;

/** A model in the editor. One without text gets the default's to begin with, should its type be changed. */
export function formOf(model: SignatureModel): ModelForm {
  const { imagePosition, customText } = model;
  const hasText = customText !== '';
  return {
    name: model.name,
    type: imagePosition === 'NONE' ? 'text' : hasText ? 'imageAndText' : 'image',
    imagePosition: imagePosition === 'NONE' ? 'LEFT' : imagePosition,
    text: splitModelText(hasText ? customText : defaultDigitalModel.customText),
    textFont: model.textFont,
    textAlignment: model.textAlignment,
    measures: {
      width: String(model.width),
      height: String(model.height),
      textFontSize: String(hasText ? model.textFontSize : FONT_SIZE_WITHOUT_TEXT),
      textPadding: String(model.textPadding),
    },
  };
}

/** What a measure counts as while it is typed: within its bounds. */
export function measureOf(form: ModelForm, measure: ModelMeasure): number {
  const typed = form.measures[measure].trim().replace(',', '.');
  return correctMeasure(measure, typed === '' ? Number.NaN : Number(typed));
}

export function modelOf(form: ModelForm): SignatureModel {
  return {
    name: form.name,
    width: measureOf(form, 'width'),
    height: measureOf(form, 'height'),
    imagePosition: form.type === 'text' ? 'NONE' : form.imagePosition,
    customText: form.type === 'image' ? '' : composeModelText(form.text),
    textFont: form.textFont,
    textFontSize: measureOf(form, 'textFontSize'),
    textPadding: measureOf(form, 'textPadding'),
    textAlignment: form.textAlignment,
  };
}
