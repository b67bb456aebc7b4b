import { useCallback, useEffect, useRef, useState } from 'react';
import SignaturePad from 'signature_pad';
import { useTranslation } from '../../lib/i18n.ts';
import { PhoneDrawing, type SigningPlace } from './phone-drawing.tsx';
import { pngBase64, type SignatureImage, trimmed } from './signature-image.ts';

interface DrawnStyleProps {
  onImage(image: SignatureImage | null): void;
  /** Where it may be drawn on a telephone instead, for who has a mouse. */
  place?: SigningPlace;
}

/** A pad, or what a telephone has drawn in its place. */
export function DrawnStyle({ onImage, place }: DrawnStyleProps) {
  const { t } = useTranslation();
  const [asks, setAsks] = useState(false);
  const [fromPhone, setFromPhone] = useState<string | null>(null);
  const keep = useCallback(
    (image: string | null) => {
      setAsks(false);
      setFromPhone(image);
      onImage(image === null ? null : { base64: image, style: 'drawn' });
    },
    [onImage],
  );
  if (fromPhone !== null)
    return (
      <>
        <img className="preview-image" src={`data:image/png;base64,${fromPhone}`} alt={t('sign.phoneDrawn')} />
        <div className="actions pad-actions">
          <button type="button" className="quiet" onClick={() => keep(null)}>
            {t('sign.drawAgain')}
          </button>
        </div>
      </>
    );
  return (
    <>
      <DrawingPad onImage={onImage} />
      {place && !asks && (
        <button type="button" className="quiet phone-offer" onClick={() => setAsks(true)}>
          {t('sign.phone')}
        </button>
      )}
      {place && asks && <PhoneDrawing place={place} onDrawn={keep} onClose={() => setAsks(false)} />}
    </>
  );
}

/** A pad for finger, pen or mouse, as sharp as the screen; it survives a turn of the phone. */
function DrawingPad({ onImage }: { onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const [empty, setEmpty] = useState(true);
  function publish(): void {
    const isEmpty = pad.current?.isEmpty() ?? true;
    setEmpty(isEmpty);
    onImage(isEmpty || !canvas.current ? null : { base64: pngBase64(trimmed(canvas.current)), style: 'drawn' });
  }
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const made = new SignaturePad(element, { penColor: '#12284b', minWidth: 0.8, maxWidth: 2.6 });
    pad.current = made;
    made.addEventListener('endStroke', publish);
    // Setting the size wipes the canvas: the strokes are kept as points and drawn again.
    const resized = new ResizeObserver(() => {
      const density = Math.max(1, window.devicePixelRatio || 1);
      const [width, height] = [Math.round(element.clientWidth * density), Math.round(element.clientHeight * density)];
      if (width === element.width && height === element.height) return;
      element.width = width;
      element.height = height;
      element.getContext('2d')?.scale(density, density);
      made.fromData(made.toData());
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.off();
    };
    // `publish` reads refs only.
  }, [onImage]);
  function undo(): void {
    const strokes = pad.current?.toData().slice(0, -1) ?? [];
    pad.current?.fromData(strokes);
    publish();
  }
  function clear(): void {
    pad.current?.clear();
    publish();
  }
  return (
    <>
      <p className="hint">{t('sign.drawHint')}</p>
      <canvas ref={canvas} className="pad" role="img" aria-label={t('sign.drawArea')} />
      <div className="actions pad-actions">
        <button type="button" className="quiet" disabled={empty} onClick={undo}>
          {t('sign.undo')}
        </button>
        <button type="button" className="quiet" disabled={empty} onClick={clear}>
          {t('sign.clear')}
        </button>
      </div>
    </>
  );
}
