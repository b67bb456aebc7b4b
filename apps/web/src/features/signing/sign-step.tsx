import { initEletronicSignature } from '@lavra/api';
import type { DevicePlace } from '@lavra/domain';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../lib/api-client.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Checkbox } from '../../ui/field.tsx';
import type { Person } from './data-step.tsx';
import type { ActingInformation } from './electronic-dialog.tsx';
import { askPlace, type PlaceFault } from './geolocation.ts';
import { PlaceHelp } from './place-help.tsx';
import type { SignatureImage } from './signature-image.ts';
import { StyleStep } from './style-step.tsx';

interface SignStepProps {
  processId: string;
  information: ActingInformation;
  person: Person;
  onBack(): void;
  /** While the place is awaited or the request is on its way the dialog cannot be left. */
  onBusy(busy: boolean): void;
  onSent(): void;
}

/** How the signature looks, the consent, the place, and the act itself. */
export function SignStep(props: SignStepProps) {
  const { t } = useTranslation();
  const { information, person, onBack } = props;
  const [image, setImage] = useState<SignatureImage | null>(null);
  const [consent, setConsent] = useState(false);
  const [tried, setTried] = useState(false);
  const { doing, placeFault, failure, send } = useElectronicSignature(props);
  const keepImage = useCallback((next: SignatureImage | null) => setImage(next), []);
  const optional = information.geolocation === 'optional';
  function sign(withoutPlace = false): void {
    setTried(true);
    if (image && consent) void send(image, withoutPlace);
  }
  const busy = doing !== 'nothing';
  const imageFault = fieldErrorText(failure, 'signatureImage', t);
  return (
    <>
      <StyleStep name={person.name} onImage={keepImage} />
      {tried && !image && <Notice kind="error">{t('evidence.imageRequired')}</Notice>}
      {imageFault && <Notice kind="error">{imageFault}</Notice>}
      <Checkbox label={information.consent.text} checked={consent} onChange={setConsent} />
      {tried && !consent && (
        <p className="error" role="alert">
          {t('evidence.consentRequired')}
        </p>
      )}
      <p className="hint">{t(optional ? 'sign.placeReasonOptional' : 'sign.placeReason')}</p>
      {placeFault && <PlaceHelp fault={placeFault} optional={optional} onRetry={() => sign()} onWithout={() => sign(true)} />}
      {failure !== null && !imageFault && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <div className="actions actions-end">
        <button type="button" onClick={onBack} disabled={busy}>
          {t('confirm.back')}
        </button>
        <button type="button" className="primary" disabled={busy} aria-live="polite" onClick={() => sign()}>
          {t(doing === 'locating' ? 'sign.locating' : doing === 'sending' ? 'sign.asking' : 'sign.submit')}
        </button>
      </div>
    </>
  );
}

/** The act: the place first, then the request, which the server answers before it signs. */
function useElectronicSignature({ processId, information, person, onBusy, onSent }: SignStepProps) {
  const [doing, setDoing] = useState<'nothing' | 'locating' | 'sending'>('nothing');
  const [placeFault, setPlaceFault] = useState<PlaceFault | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  async function send(image: SignatureImage, withoutPlace: boolean): Promise<void> {
    onBusy(true);
    setFailure(null);
    setPlaceFault(null);
    try {
      setDoing('locating');
      const place = withoutPlace ? null : await askPlace();
      if (typeof place === 'string') return setPlaceFault(place);
      setDoing('sending');
      const signatureEvidence = evidenceOf(place, image);
      const act = { processId, signerId: information.me.id, consentHash: information.consent.hash };
      await callApi(initEletronicSignature, { body: { ...act, ...person, signatureEvidence } });
      onSent();
    } catch (error) {
      setFailure(error);
    } finally {
      onBusy(false);
      setDoing('nothing');
    }
  }
  return { doing, placeFault, failure, send };
}

function evidenceOf(place: DevicePlace | null, image: SignatureImage) {
  return {
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    accuracy: place?.accuracy ?? null,
    signatureImage: image.base64,
    signatureImageContentType: 'image/png',
    signatureStyle: image.style,
  };
}
