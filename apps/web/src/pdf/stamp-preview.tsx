import { defaultModels, fillModelText, maskCpf, modelInWords, type SignatureModel, usualTimeZone } from '@lavra/domain';
import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import { type Translate, useTranslation } from '../lib/i18n.ts';
import { splitDateTime } from '../lib/format.ts';

/** Smallest size that the engine makes a text that would not fit otherwise. */
const SMALLEST = 3;

interface StampProps {
  name: string;
  zoom: number;
  model: SignatureModel;
  /** The signer's picture, PNG in Base64; null: they have made none yet. Where nobody is asked for one, a name in a handwriting stands for it. */
  picture?: string | null | undefined;
  /** The signer's, eleven digits, once it is known. */
  cpf?: string;
}

/** What the signed box will show, with what is known of the signer today; arranged as the engine's `layoutAppearance` does. `zoom`: pixels per point. */
export function StampPreview({ name, zoom, model: given, picture, cpf }: StampProps) {
  const { t } = useTranslation();
  const model = inWords(given, t);
  const element = useRef<HTMLElement>(null);
  const { date, time } = splitDateTime(new Date().toISOString(), usualTimeZone);
  const masked = cpf ? maskCpf(cpf) : '***.000.000-**';
  const filled = fillModelText(model.customText, { name, cpf: masked, date: `${date} ${time}:00 (UTC-03:00)` });
  // The engine breaks lines at spaces alone, the browser after hyphens too: a word joiner there keeps both alike.
  const text = filled.replaceAll('-', '-\u2060');
  useLayoutEffect(() => {
    const small = element.current;
    if (!small?.parentElement) return;
    let size = model.textFontSize;
    const fits = (room: number) => {
      small.style.fontSize = `${size * zoom}px`;
      return small.offsetHeight <= room + 1;
    };
    while (!fits(small.parentElement.clientHeight) && size > SMALLEST) size = Math.max(SMALLEST, size - 0.5);
  });
  const padding = Math.min(model.textPadding, model.width / 3, model.height / 3);
  const style = { '--pad': `${padding * zoom}px`, '--hairline': `${Math.max(1, zoom / 2)}px` } as CSSProperties;
  // Above or below the text, the picture keeps its edge; beside or behind it, it stands in the middle.
  const isStacked = text !== '' && (model.imagePosition === 'TOP' || model.imagePosition === 'BOTTOM');
  const edge = isStacked ? (model.textAlignment.toLowerCase() as Lowercase<typeof model.textAlignment>) : 'center';
  return (
    <span className={`stamp stamp-${model.imagePosition.toLowerCase()} stamp-edge-${edge}`} style={style}>
      {model.imagePosition !== 'NONE' &&
        (typeof picture === 'string' ? (
          <img className="stamp-picture" src={`data:image/png;base64,${picture}`} alt="" />
        ) : (
          <Handwriting name={picture === null ? '' : name} align={handwritingAlign[edge]} />
        ))}
      {text !== '' && (
        <span className={`stamp-text font-${model.textFont.toLowerCase()} align-${model.textAlignment.toLowerCase()}`}>
          <small ref={element}>{text}</small>
        </span>
      )}
    </span>
  );
}

const handwritingAlign = { left: 'xMinYMid', center: 'xMidYMid', right: 'xMaxYMid' } as const;

/** The sender's own model as they wrote it; ours in the language of who looks, which is the process's where they send it. */
function inWords(model: SignatureModel, t: Translate): SignatureModel {
  if (model === defaultModels.electronic) return modelInWords('electronic', t('stamp.electronic'));
  return model === defaultModels.digital ? modelInWords('digital', t('stamp.digital')) : model;
}

/** Stands for the signer's picture: as large as its place allows, whatever its proportions. Without a name it keeps the room for one. */
function Handwriting({ name, align }: { name: string; align: string }) {
  // Capitals of this handwriting are more than twice as wide as its other letters.
  const width = [...name.padEnd(6)].reduce((sum, letter) => sum + (/[\p{Lu}mw]/u.test(letter) ? 68 : 32), 0);
  return (
    <svg className="stamp-image" viewBox={`0 0 ${width} 110`} preserveAspectRatio={align} aria-hidden="true">
      <text x={width / 2} y="76" textAnchor="middle" fontSize="80">
        {name}
      </text>
    </svg>
  );
}
