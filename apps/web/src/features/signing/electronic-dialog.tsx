import { type getRequisitionInformation, initEletronicSignature, type Reply } from '@lavra/api';
import { formatCpf, keepNameCharacters, limits, parseCpf } from '@lavra/domain';
import { type FormEvent, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { askPlace, type Place, type PlaceFault } from './geolocation.ts';
import { readRemembered, remember } from './remembered-signer.ts';
import type { SignatureImage } from './signature-image.ts';
import { StyleStep } from './style-step.tsx';

type Information = Reply<typeof getRequisitionInformation> & { me: NonNullable<Reply<typeof getRequisitionInformation>['me']> };

interface ElectronicDialogProps {
  processId: string;
  information: Information;
  onClose(): void;
  onSent(): void;
}

/** Two steps: who signs, then how it looks. The place is asked for at the moment it is needed, with the reason. */
export function ElectronicDialog({ processId, information, onClose, onSent }: ElectronicDialogProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<'data' | 'style'>('data');
  const [person, setPerson] = useState(() => readRemembered() ?? { name: information.me.name, cpf: '' });
  return (
    <Dialog title={t('sign.title')} closeLabel={t('dialog.close')} wide onClose={onClose}>
      <p className="hint">{t('sign.stepOf', { number: step === 'data' ? 1 : 2 })} · {t('signer.level')}</p>
      {step === 'data' ? (
        <DataStep person={person} onNext={(next) => { setPerson(next); setStep('style'); }} onCancel={onClose} />
      ) : (
        <SignStep processId={processId} information={information} person={person} onBack={() => setStep('data')} onSent={onSent} />
      )}
    </Dialog>
  );
}

interface Person {
  name: string;
  cpf: string;
}

function DataStep({ person, onNext, onCancel }: { person: Person; onNext(person: Person): void; onCancel(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(person.name);
  const [cpf, setCpf] = useState(formatCpf(person.cpf));
  const [keep, setKeep] = useState(readRemembered() !== null);
  const [tried, setTried] = useState(false);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    const digits = parseCpf(cpf);
    if (name.trim() === '' || !digits) return;
    remember(keep ? { name: name.trim(), cpf: digits } : null);
    onNext({ name: name.trim(), cpf: digits });
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextField label={t('sign.fullName')} autoComplete="name" maxLength={limits.nameMax} value={name} onChange={(text) => setName(keepNameCharacters(text))} error={tried && name.trim() === '' ? t('evidence.nameRequired') : undefined} />
      <TextField label="CPF" inputMode="numeric" autoComplete="off" placeholder="000.000.000-00" value={cpf} onChange={(text) => setCpf(formatCpf(text))} error={tried && !parseCpf(cpf) ? t('evidence.cpfInvalid') : undefined} />
      <Checkbox label={t('sign.remember')} checked={keep} onChange={setKeep} />
      <div className="actions actions-end">
        <button type="button" onClick={onCancel}>{t('prepare.cancel')}</button>
        <button type="submit" className="primary">{t('sign.continue')}</button>
      </div>
    </form>
  );
}

function SignStep({ processId, information, person, onBack, onSent }: { processId: string; information: Information; person: Person; onBack(): void; onSent(): void }) {
  const { t } = useTranslation();
  const [image, setImage] = useState<SignatureImage | null>(null);
  const [consent, setConsent] = useState(false);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [placeFault, setPlaceFault] = useState<PlaceFault | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const keepImage = useCallback((next: SignatureImage | null) => setImage(next), []);
  const optional = information.geolocation === 'optional';

  async function send(place: Place | null): Promise<void> {
    if (!image) return;
    await callApi(initEletronicSignature, {
      body: {
        processId,
        signerId: information.me.id,
        cpf: person.cpf,
        name: person.name,
        consentHash: information.consent.hash,
        signatureEvidence: { latitude: place?.latitude ?? null, longitude: place?.longitude ?? null, accuracy: place?.accuracy ?? null, signatureImage: image.base64, signatureImageContentType: 'image/png', signatureStyle: image.style },
      },
    });
    onSent();
  }
  async function sign(withoutPlace = false): Promise<void> {
    setTried(true);
    if (!image || !consent) return;
    setBusy(true);
    setFailure(null);
    try {
      const place = withoutPlace ? null : await askPlace();
      setPlaceFault(typeof place === 'string' ? place : null);
      if (typeof place !== 'string') await send(place);
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  }
  return (
    <>
      <StyleStep name={person.name} onImage={keepImage} />
      {tried && !image && <Notice kind="error">{t('evidence.imageRequired')}</Notice>}
      <Checkbox label={information.consent.text} checked={consent} onChange={setConsent} />
      {tried && !consent && <p className="error" role="alert">{t('evidence.consentRequired')}</p>}
      <p className="hint">{t(optional ? 'sign.placeReasonOptional' : 'sign.placeReason')}</p>
      {placeFault && (
        <Notice kind="error">
          <p>{t(placeFault === 'denied' ? 'sign.placeDenied' : 'evidence.geolocationRequired')}</p>
          {placeFault === 'denied' && <p>{t('sign.placeHelp')}</p>}
          {optional && <button type="button" onClick={() => void sign(true)}>{t('sign.withoutPlace')}</button>}
        </Notice>
      )}
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <div className="actions actions-end">
        <button type="button" onClick={onBack} disabled={busy}>{t('confirm.back')}</button>
        <button type="button" className="primary" disabled={busy} onClick={() => void sign()}>{t(busy ? 'sign.asking' : 'sign.submit')}</button>
      </div>
    </>
  );
}
