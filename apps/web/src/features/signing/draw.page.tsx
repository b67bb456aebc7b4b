import { deliverDrawing, openDrawing } from '@lavra/api';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct, useCall } from '../../lib/calls.ts';
import { errorText, fieldErrorText, retryOf } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { ActFoot } from './act-foot.tsx';
import { DrawnStyle } from './drawn-style.tsx';
import type { SignatureImage } from './signature-image.ts';

/** What a telephone shows after the code on a computer's screen was read: a pad, and a button that sends the drawing there. */
export function Component() {
  const { t } = useTranslation();
  // Behind the #: no server, no log and no other page is told it.
  const key = useLocation().hash.slice(1);
  // Asked once: a drawing that was sent is not awaited any more.
  const { data, error, refetch } = useCall(openDrawing, { body: { key } }, { per: key, retry: false, freshMs: Infinity });
  return (
    <Page title={t('draw.title')} frame="form">
      {error && !data && <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />}
      {!data && !error && <Loading />}
      {data && <Pad drawingKey={key} />}
    </Page>
  );
}

function Pad({ drawingKey }: { drawingKey: string }) {
  const { t } = useTranslation();
  const [image, setImage] = useState<SignatureImage | null>(null);
  const [tried, setTried] = useState(false);
  const [sent, setSent] = useState(false);
  const { act, busy, failure } = useAct(deliverDrawing);
  async function send(): Promise<void> {
    setTried(true);
    if (image && (await act({ body: { key: drawingKey, image: image.base64 } }))) setSent(true);
  }
  if (sent) return <Notice kind="success">{t('draw.sent')}</Notice>;
  const refused = failure === null ? undefined : (fieldErrorText(failure, 'image', t) ?? errorText(failure, t));
  return (
    <div className="draw-page">
      <p className="hint">{t('draw.text')}</p>
      <DrawnStyle onImage={setImage} />
      <ActFoot fault={tried && !image ? t('sign.drawRequired') : refused}>
        <button type="button" className="primary" disabled={busy} onClick={() => void send()}>
          {t('draw.send')}
        </button>
      </ActFoot>
    </div>
  );
}
