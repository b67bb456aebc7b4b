import { initEletronicSignature } from '@lavra/api';
import type { DevicePlace } from '@lavra/domain';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError, callApi } from '../../lib/api-client.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { StampPreview } from '../../pdf/stamp-preview.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { ActFoot } from './act-foot.tsx';
import type { Person } from './data-step.tsx';
import type { ActingInformation } from './electronic-dialog.tsx';
import { askPlace, type PlaceFault } from './geolocation.ts';
import { keepEvidence } from './produce-evidence.ts';
import { PlaceHelp } from './place-help.tsx';
import type { SignatureImage } from './signature-image.ts';
import { StyleStep } from './style-step.tsx';

interface SignStepProps {
  processId: string;
  information: ActingInformation;
  person: Person;
  /** What public services say of the browser's address by the time that it is sent; null: nothing. */
  address: { readonly current: string | null };
  /** Kept and not shown while the step before it is: what was drawn is still there on the way back. */
  hidden: boolean;
  /** A stable function, told each change of the signature's picture. */
  onPicture(picture: string | null): void;
  onBack(): void;
  /** While the place is awaited or the request is on its way the dialog cannot be left. */
  onBusy(busy: boolean): void;
  /** A stable function, told whether the place or the address of who signs could not be had. */
  onPlace(isMissing: boolean): void;
  /** Asks for the status now: an answer may be lost, and the act not. */
  onRefresh(): Promise<unknown>;
  onSent(): void;
}

interface Made {
  image: SignatureImage | null;
  /** The text that says what is not there yet. */
  imageMissing: string;
}

/** How the signature looks, the consent, the place, and the act itself. */
export function SignStep(props: SignStepProps) {
  const { t } = useTranslation();
  const { processId, information, person, hidden, onBack, onPicture, onPlace } = props;
  const [{ image, imageMissing }, setMade] = useState<Made>({ image: null, imageMissing: 'sign.styleRequired' });
  const [consent, setConsent] = useState(false);
  const [tried, setTried] = useState(false);
  const { doing, placeFault, failure, send } = useElectronicSignature(props);
  const isPlaceMissing = placeFault !== null || (failure instanceof ApiError && failure.code === 'evidence.ipMissing');
  useEffect(() => onPlace(isPlaceMissing), [isPlaceMissing, onPlace]);
  const keepImage = useCallback(
    (next: SignatureImage | null, isMissing: string) => {
      setMade({ image: next, imageMissing: isMissing });
      onPicture(next?.base64 ?? null);
    },
    [onPicture],
  );
  const place = { processId, signerId: information.me.id };
  const optional = information.geolocation === 'optional';
  function sign(withoutPlace = false): void {
    setTried(true);
    if (image && consent) void send(image, withoutPlace);
  }
  const busy = doing !== 'nothing';
  const refused = failure === null ? undefined : (fieldErrorText(failure, 'signatureImage', t) ?? errorText(failure, t));
  const missing = image ? (consent ? undefined : 'evidence.consentRequired') : imageMissing;
  const fault = tried && missing ? t(missing) : refused;
  return (
    <div hidden={hidden}>
      <StyleStep name={person.name} place={place} onImage={keepImage} />
      {information.me.places.length > 0 && <InPlace model={information.me.model} person={person} image={image} />}
      <Checkbox label={information.consent.text} checked={consent} onChange={setConsent} />
      <p className="hint">{t(optional ? 'sign.placeReasonOptional' : 'sign.placeReason')}</p>
      {placeFault && <PlaceHelp fault={placeFault} optional={optional} onRetry={() => sign()} onWithout={() => sign(true)} />}
      <ActFoot fault={fault}>
        <button type="button" onClick={onBack} disabled={busy}>
          {t('word.back')}
        </button>
        <button type="button" className="primary" disabled={busy} aria-live="polite" onClick={() => sign()}>
          {t(doing === 'locating' ? 'sign.locating' : doing === 'sending' ? 'sign.asking' : 'sign.submit')}
        </button>
      </ActFoot>
    </div>
  );
}

/** The signature as it will stand in the document, as wide as a telephone has room for. */
function InPlace({ model, person, image }: { model: ActingInformation['me']['model']; person: Person; image: SignatureImage | null }) {
  const { t } = useTranslation();
  const zoom = Math.min(1.6, 240 / model.width, 140 / model.height);
  return (
    <figure className="in-place">
      <figcaption className="hint">{t('sign.inPlace')}</figcaption>
      <div className="stamp-paper" style={{ width: model.width * zoom, height: model.height * zoom }}>
        <StampPreview {...person} zoom={zoom} model={model} picture={image?.base64 ?? null} />
      </div>
    </figure>
  );
}

/** The act: the place first, then the request, which the server answers before it signs. */
function useElectronicSignature({ processId, information, person, address, onBusy, onRefresh, onSent }: SignStepProps) {
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
      const signatureEvidence = { ip: address.current, ...evidenceOf(place, image) };
      const act = { processId, signerId: information.me.id, consentHash: information.consent.hash };
      keepEvidence(information.me.id, signatureEvidence);
      await callApi(initEletronicSignature, { body: { ...act, ...person, signatureEvidence } });
      onSent();
    } catch (error) {
      setFailure(error);
      void onRefresh();
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
