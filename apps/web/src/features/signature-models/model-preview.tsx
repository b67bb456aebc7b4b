import { limits, type SignatureModel } from '@lavra/domain';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { StampPreview } from '../../pdf/stamp-preview.tsx';

/** Letters of six points can be read. */
const LARGEST = 2;

/** The box as it will stand on the page, in its true proportions; up to twice its size where there is room, and how much is said. */
export function ModelPreview({ model }: { model: SignatureModel }) {
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const desk = element.current;
    if (!desk) return undefined;
    const watcher = new ResizeObserver(() => setRoom(desk.clientWidth));
    watcher.observe(desk);
    setRoom(desk.clientWidth);
    return () => watcher.disconnect();
  }, []);
  const trueSize = 1 / limits.pixelToPoint;
  const zoom = Math.min(LARGEST * trueSize, (room - 32) / model.width, 420 / model.height);
  return (
    <figure className="model-preview">
      <div ref={element} className="model-desk">
        {room > 32 && (
          <div
            className="stamp-paper"
            role="img"
            aria-label={t('models.previewAlt')}
            style={{ width: model.width * zoom, height: model.height * zoom }}
          >
            <StampPreview model={model} name={t('models.sampleName')} zoom={zoom} />
          </div>
        )}
      </div>
      <figcaption className="hint">
        {t('models.previewCaption', { width: model.width, height: model.height })}
        {zoom !== trueSize && room > 32 && ` ${t('models.previewScaled', { percent: Math.round((zoom / trueSize) * 100) })}`}
      </figcaption>
    </figure>
  );
}
