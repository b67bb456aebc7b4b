import '@fontsource/great-vibes/latin-400.css';
import { defaultDigitalModel, defaultElectronicModel, fillModelText } from '@lavra/domain';
import type { CSSProperties } from 'react';
import { splitDateTime } from '../../lib/format.ts';

const models = { digital: defaultDigitalModel, electronic: defaultElectronicModel };

/** What the signed box will show, with what is known of the signer today: the image above the model's text, or beside it. */
export function StampPreview({ name, zoom, modality }: { name: string; zoom: number; modality: keyof typeof models }) {
  const model = models[modality];
  const beside = model.imagePosition === 'LEFT';
  const { date, time } = splitDateTime(new Date().toISOString());
  const text = fillModelText(model.customText, { name, cpf: '***.000.000-**', date: `${date} ${time}:00 (UTC-03:00)` });
  const lines = text.split('\n').length;
  const imageHeight = model.height - (beside ? 2 : 2.5) * model.textPadding - (beside ? 0 : lines * model.textFontSize * 1.1);
  const imageWidth = beside ? (model.width - 3 * model.textPadding) / 2 : model.width - 2 * model.textPadding;
  // A long name is drawn smaller, as its image will be.
  const script = Math.min(imageHeight * 0.8, imageWidth / (name.length * 0.4));
  const sizes = {
    '--pad': `${model.textPadding * zoom}px`,
    '--script': `${script * zoom}px`,
    '--image': `${imageHeight * zoom}px`,
    '--half': `${imageWidth * zoom}px`,
    '--text': `${model.textFontSize * zoom}px`,
  } as CSSProperties;
  return (
    <span className={beside ? 'stamp stamp-beside' : 'stamp'} style={sizes}>
      <em>{name}</em>
      <small>{text}</small>
    </span>
  );
}
