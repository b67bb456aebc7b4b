import { awaitDrawing, followSigning, getAwaitedDrawing, type Reply } from '@lavra/api';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError, callAddress } from '../../lib/api-client.ts';
import { useAct, useCall } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Loading } from '../../ui/states.tsx';

/** How often the computer looks whether the telephone has sent something. */
const LOOK_MS = 2000;

/** Who signs, and what. */
export interface SigningPlace {
  processId: string;
  signerId: string;
}

interface PhoneDrawingProps {
  place: SigningPlace;
  /** PNG in Base64. */
  onDrawn(image: string): void;
  onClose(): void;
}

/** For who sits at a computer with a mouse: a code that lets the telephone draw, and what it drew. */
export function PhoneDrawing({ place, onDrawn, onClose }: PhoneDrawingProps) {
  const { t } = useTranslation();
  const { processId, signerId } = place;
  const [awaited, setAwaited] = useState<Reply<typeof awaitDrawing> | null>(null);
  const { act, busy, failure } = useAct(awaitDrawing);
  const ask = async () => {
    setAwaited(null);
    const answer = await act({ params: { signerId }, body: { processId } });
    if (answer) setAwaited(answer.reply);
  };
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void ask();
    // Once, when it is opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <div className="phone-drawing" role="group" aria-label={t('sign.phone')}>
      {busy && <Loading rows={2} />}
      {failure !== null && (
        <p className="error" role="alert">
          {errorText(failure, t)}
        </p>
      )}
      {awaited && <AwaitedCode key={awaited.id} place={place} awaited={awaited} onDrawn={onDrawn} onAgain={() => void ask()} />}
      <div className="actions pad-actions">
        <button type="button" className="quiet" onClick={onClose}>
          {t('sign.phoneClose')}
        </button>
      </div>
    </div>
  );
}

interface AwaitedCodeProps {
  place: SigningPlace;
  awaited: Reply<typeof awaitDrawing>;
  onDrawn(image: string): void;
  onAgain(): void;
}

function AwaitedCode({ place, awaited, onDrawn, onAgain }: AwaitedCodeProps) {
  const { t } = useTranslation();
  const { signerId } = place;
  const [isOver, setOver] = useState(false);
  const { data, error } = useCall(
    getAwaitedDrawing,
    { params: { signerId, drawingId: awaited.id } },
    {
      enabled: !isOver,
      retry: false,
      pollAfter: (reply) => (reply?.image ? false : LOOK_MS),
      toldBy: () => callAddress(followSigning, { ...place }),
    },
  );
  const drawn = data?.image ?? null;
  useEffect(() => {
    if (drawn !== null) onDrawn(drawn);
  }, [drawn, onDrawn]);
  useEffect(() => {
    // A look that did not come through is made again; a code that is over stays so.
    if (error instanceof ApiError && error.code === 'signer.drawingOver') setOver(true);
  }, [error]);
  if (isOver)
    return (
      <>
        <p role="status">{t('sign.phoneOver')}</p>
        <button type="button" onClick={onAgain}>
          {t('sign.phoneAgain')}
        </button>
      </>
    );
  return (
    <>
      <img className="phone-code" src={awaited.code} alt={t('sign.phoneCode')} />
      <p role="status">{t('sign.phoneHint')}</p>
    </>
  );
}
