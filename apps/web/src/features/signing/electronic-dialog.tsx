import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useSessionId } from '../../lib/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DataStep, type Person } from './data-step.tsx';
import { useOwnAddress } from './own-address.ts';
import { readRemembered } from './remembered-signer.ts';
import { SignStep } from './sign-step.tsx';
import type { SignerInformation } from './signer-information.ts';

export type ActingInformation = SignerInformation & { me: NonNullable<SignerInformation['me']> };

interface ElectronicDialogProps {
  processId: string;
  information: ActingInformation;
  onPicture(picture: string | null): void;
  onClose(): void;
  /** Asks for the status now. */
  onRefresh(): Promise<unknown>;
  onSent(): void;
}

/**
 * Two steps: who signs, then how it looks. The place is asked for at the moment it is needed, with the reason; whoever leaves without it
 * returns to their list of processes (section 9), if they have one: without a session that would be the sign-in form.
 */
export function ElectronicDialog({ processId, information, onPicture, onClose, onRefresh, onSent }: ElectronicDialogProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<'data' | 'style'>('data');
  const [reached, setReached] = useState(false);
  const [busy, setBusy] = useState(false);
  const [withoutPlace, setWithoutPlace] = useState(false);
  const signedIn = useSessionId() !== null;
  const navigate = useNavigate();
  function leave(): void {
    onClose();
    if (withoutPlace && signedIn) void navigate('/signature');
  }
  const [person, setPerson] = useState<Person>(() => readRemembered() ?? { name: information.me.name, cpf: '' });
  const address = useOwnAddress(information.ipLookupUrls);
  return (
    <Dialog title={t('sign.title')} closeLabel={t('dialog.close')} wide busy={busy} onClose={leave}>
      <p className="hint under-title">
        {t('sign.stepOf', { number: step === 'data' ? 1 : 2 })} · {t('word.level')}
      </p>
      <DataStep
        hidden={step !== 'data'}
        processId={processId}
        information={information}
        person={person}
        onNext={(next) => {
          setPerson(next);
          setReached(true);
          setStep('style');
        }}
        onRefresh={onRefresh}
        onCancel={leave}
      />
      {reached && (
        <SignStep
          hidden={step !== 'style'}
          processId={processId}
          information={information}
          person={person}
          address={address}
          onPicture={onPicture}
          onBack={() => setStep('data')}
          onBusy={setBusy}
          onPlace={setWithoutPlace}
          onRefresh={onRefresh}
          onSent={onSent}
        />
      )}
    </Dialog>
  );
}
