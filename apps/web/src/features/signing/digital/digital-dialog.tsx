import { formatCpf } from '@lavra/domain';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeText } from '../../../shell/error-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import type { ActingInformation } from '../electronic-dialog.tsx';
import { readRemembered, remember } from '../remembered-signer.ts';
import { signingText } from '../signing-text.ts';
import type { SignatureStatus } from '../use-signature-status.ts';
import type { Appearance } from './appearance.ts';
import { forgetAuthorization } from './authorization.ts';
import { BusyLine } from './busy-line.tsx';
import { type CertificateType, CertificateTypeStep, type TypeChoice } from './certificate-type-step.tsx';
import { CloudChoiceStep } from './cloud-choice-step.tsx';
import { CloudTold } from './cloud-told.tsx';
import { CloudWaiting } from './cloud-waiting.tsx';
import { DigitalStyleStep } from './digital-style-step.tsx';
import { FileCertificate } from './file-certificate.tsx';
import { LocalSignerFlow } from './local-signer-flow.tsx';
import { useCloudSigning } from './use-cloud-signing.ts';

interface DigitalDialogProps {
  processId: string;
  information: ActingInformation;
  status: SignatureStatus | undefined;
  /** What was just accepted, before the next answer says so. */
  onMark(status: 'AUTHORIZING' | 'SIGNING'): void;
  /** Asks for the status now. */
  onRefresh(): Promise<SignatureStatus | undefined>;
  onChanged(): void;
  onClose(): void;
}

type Step = 'style' | 'type' | 'file' | 'local';

/** Signing with an ICP-Brasil certificate: how it looks, where the certificate is kept, and the act with that certificate. */
export function DigitalDialog({ processId, information, status, onMark, onRefresh, onChanged, onClose }: DigitalDialogProps) {
  const { t } = useTranslation();
  const acting = { processId, signerId: information.me.id };
  const [step, setStep] = useState<Step>('style');
  const [appearance, setAppearance] = useState<Appearance | null>(null);
  const [choice, setChoice] = useState<TypeChoice>(() => {
    const remembered = readRemembered();
    return { cpf: formatCpf(remembered?.cpf ?? ''), keep: remembered !== null, type: null, consent: false };
  });
  const [cpf, setCpf] = useState('');
  const [busy, setBusy] = useState(false);
  const cloud = useCloudSigning({ acting, onAuthorizing: () => onMark('AUTHORIZING'), onRefresh, onChanged });
  const request = {
    ...acting,
    cpf,
    consentHash: information.consent.hash,
    appearance: appearance ?? { style: 'model' as const, image: null },
  };

  const current = status?.status;
  const before = useRef(current);
  useEffect(() => {
    const was = before.current;
    before.current = current;
    if (was === current) return;
    if (current === 'SIGNING') forgetAuthorization(acting);
    const ended = current !== 'SIGNED' && current !== 'SIGNING' && current !== 'AUTHORIZING';
    if (!ended || (was !== 'SIGNING' && !(was === 'AUTHORIZING' && cloud.waiting))) return;
    cloud.fail(codeText(status?.reason ?? 'signing.canceled', t, status?.reasonParams));
    setStep(appearance ? 'type' : 'style');
  });

  const waiting = current !== 'SIGNING' && cloud.waiting !== null;
  const shown = current === 'SIGNING' ? 'signing' : waiting ? 'waiting' : cloud.providers ? 'choice' : step;
  const line = useRef<HTMLParagraphElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // The control that had the focus is gone with its step.
    if (!first.current) line.current?.focus();
    first.current = false;
  }, [shown]);

  function next(digits: string, type: CertificateType): void {
    remember(choice.keep ? { name: readRemembered()?.name ?? information.me.name, cpf: digits } : null);
    setCpf(digits);
    cloud.clear();
    if (type === 'cloud') void cloud.search({ ...request, cpf: digits });
    else setStep(type);
  }
  function close(): void {
    if (waiting) void cloud.cancel();
    onClose();
  }
  return (
    <Dialog
      title={t(shown === 'signing' ? 'signer.signing' : 'digital.title')}
      closeLabel={t('dialog.close')}
      wide
      busy={busy || cloud.busy || shown === 'signing'}
      onClose={close}
    >
      <p ref={line} tabIndex={-1} className="hint under-title">
        {t('digital.stepOf', { number: shown === 'style' ? 1 : shown === 'type' ? 2 : 3 })}
      </p>
      {shown !== 'waiting' && <CloudTold cloud={cloud} onRetry={shown === 'type' ? () => void cloud.search(request) : null} />}
      <DigitalStyleStep
        hidden={shown !== 'style'}
        name={information.me.name}
        visible={information.me.box !== null}
        onNext={(made) => {
          setAppearance(made);
          setStep('type');
        }}
        onCancel={onClose}
      />
      {shown === 'type' && (
        <CertificateTypeStep
          choice={choice}
          onChoice={(change) => {
            setChoice({ ...choice, ...change });
            if (change.cpf !== undefined || change.type !== undefined) cloud.clear();
          }}
          cpfFault={cloud.cpfFault}
          consentText={information.consent.text}
          busy={cloud.busy}
          onBack={() => {
            cloud.clear();
            setStep('style');
          }}
          onNext={next}
        />
      )}
      {shown === 'choice' && cloud.providers && (
        <CloudChoiceStep
          providers={cloud.providers}
          busy={cloud.busy}
          onBack={cloud.clear}
          onChosen={(psc) => void cloud.choose(psc, request)}
        />
      )}
      {shown === 'waiting' && cloud.waiting && (
        <CloudWaiting
          key={cloud.waiting.endsAt}
          authorization={cloud.waiting}
          blocked={cloud.blocked}
          canceling={cloud.busy}
          onCancel={() => {
            setStep(appearance ? 'type' : 'style');
            void cloud.cancel();
          }}
          onExpired={() => {
            setStep(appearance ? 'type' : 'style');
            void cloud.expire();
          }}
        />
      )}
      {shown === 'file' && (
        <FileCertificate request={request} onBusy={setBusy} onBack={() => setStep('type')} onSent={() => onMark('SIGNING')} />
      )}
      {shown === 'local' && <LocalSignerFlow request={request} onBack={() => setStep('type')} onSent={() => onMark('SIGNING')} />}
      {shown === 'signing' && <BusyLine text={signingText(status, t)} />}
    </Dialog>
  );
}
