import { useEffect, useRef } from 'react';
import { type Translate, useTranslation } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import type { ActingInformation } from '../electronic-dialog.tsx';
import { readRemembered, remember } from '../remembered-signer.ts';
import { signingText } from '../signing-text.ts';
import type { SignatureStatus } from '../use-signature-status.ts';
import { BusyLine } from './busy-line.tsx';
import { CertificateTypeStep } from './certificate-type-step.tsx';
import { CloudChoiceStep } from './cloud-choice-step.tsx';
import { CloudWaiting } from './cloud-waiting.tsx';
import { DigitalStyleStep } from './digital-style-step.tsx';
import { FileCertificate } from './file-certificate.tsx';
import { LocalSignerFlow } from './local-signer-flow.tsx';
import { SigningTold, stepFault } from './signing-told.tsx';
import { type DigitalSigning, isHandedIn, type SigningEvent } from './signing-state.ts';
import { useDigitalSigning } from './use-digital-signing.ts';

export interface DigitalDialogProps {
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

/** Signing with an ICP-Brasil certificate: draws what `digital-signing.ts` says, and tells it what the person does. */
export function DigitalDialog({ processId, information, status, ...page }: DigitalDialogProps) {
  const { t } = useTranslation();
  const { me, consent } = information;
  const host = {
    ...page,
    acting: { processId, signerId: me.id },
    consentHash: consent.hash,
    say: (key: string) => t(key),
    remember: (cpf: string | null) => remember(cpf === null ? null : { name: readRemembered()?.name ?? me.name, cpf }),
  };
  const visible = me.box !== null;
  const { state, send } = useDigitalSigning(host, status, visible);
  const line = useFocusOnStep(state.at);
  return (
    <Dialog
      title={t(state.at === 'signing' ? 'signer.signing' : 'digital.title')}
      closeLabel={t('dialog.close')}
      wide
      busy={isHandedIn(state)}
      onClose={() => send({ is: 'close' })}
    >
      <p ref={line} tabIndex={-1} className="hint under-title">
        {stepLine(state.at, visible, t)}
      </p>
      <SigningTold state={state} onRetry={() => send({ is: 'searchAgain' })} />
      <DigitalStyleStep
        hidden={state.at !== 'style'}
        name={me.name}
        place={host.acting}
        fault={state.at === 'style' ? stepFault(state, t) : undefined}
        visible={visible}
        onNext={(appearance) => send({ is: 'styled', appearance })}
        onCancel={() => send({ is: 'close' })}
      />
      <LaterStep state={state} send={send} consentText={consent.text} visible={visible} />
      {state.at === 'signing' && <BusyLine text={signingText(status, t)} />}
    </Dialog>
  );
}

interface LaterStepProps {
  state: DigitalSigning;
  send(event: SigningEvent): void;
  consentText: string;
  visible: boolean;
}

/** Which step of how many. Where no style has to be chosen it is no step, and stands before them for who wants it. */
function stepLine(at: DigitalSigning['at'], visible: boolean, t: Translate): string {
  if (at === 'style' && !visible) return t('digital.invisible');
  const number = at === 'style' ? 1 : at === 'type' ? 2 : 3;
  return visible ? t('digital.stepOf', { number, of: 3 }) : t('digital.stepOf', { number: number - 1, of: 2 });
}

/** Step two and the ways of step three; step one is kept beside them, with what was drawn there. */
function LaterStep({ state, send, consentText, visible }: LaterStepProps) {
  switch (state.at) {
    case 'type':
      return <CertificateTypeStep state={state} send={send} consentText={consentText} visible={visible} />;
    case 'choice':
      return <CloudChoiceStep state={state} send={send} />;
    case 'waiting':
      return <CloudWaiting key={state.authorization.endsAt} state={state} send={send} />;
    case 'file':
      return <FileCertificate state={state} send={send} />;
    case 'local':
      return <LocalSignerFlow state={state} send={send} />;
    default:
      return null;
  }
}

/** The control that had the focus is gone with its step: the line that counts the steps takes it. */
function useFocusOnStep(at: DigitalSigning['at']) {
  const line = useRef<HTMLParagraphElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) line.current?.focus();
    first.current = false;
  }, [at]);
  return line;
}
