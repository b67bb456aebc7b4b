import '@fontsource/great-vibes/latin-400.css';
import { defaultElectronicModel, fillModelText } from '@lavra/domain';
import type { CSSProperties } from 'react';
import { splitDateTime } from '../../lib/format.ts';

const model = defaultElectronicModel;

/** What the signed box will show, with what is known of the signer today: the image above, the model's text below it. */
export function StampPreview({ name, zoom }: { name: string; zoom: number }) {
  const { date, time } = splitDateTime(new Date().toISOString());
  const text = fillModelText(model.customText, { name, cpf: '***.000.000-**', date: `${date} ${time}:00 (UTC-03:00)` });
  const lines = text.split('\n').length;
  const imageHeight = model.height - 2.5 * model.textPadding - lines * model.textFontSize * 1.1;
  // A long name is drawn smaller, as its image will be.
  const script = Math.min(imageHeight * 0.8, (model.width - 2 * model.textPadding) / (name.length * 0.4));
  const sizes = {
    '--pad': `${model.textPadding * zoom}px`,
    '--script': `${script * zoom}px`,
    '--image': `${imageHeight * zoom}px`,
    '--text': `${model.textFontSize * zoom}px`,
  } as CSSProperties;
  return (
    <span className="stamp" style={sizes}>
      <em>{name}</em>
      <small>{text}</small>
    </span>
  );
}
