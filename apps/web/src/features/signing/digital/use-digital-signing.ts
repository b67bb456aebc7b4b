import { formatCpf } from '@lavra/domain';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { readRemembered } from '../remembered-signer.ts';
import type { SignatureStatus } from '../use-signature-status.ts';
import { readAuthorization } from './authorization.ts';
import { openSigning } from './digital-signing.ts';
import { type SigningHost, SigningRun } from './signing-run.ts';
import type { DigitalSigning, SigningEvent, Step } from './signing-state.ts';

/** A digital signature for as long as its dialog is there: its state, and how to tell it what happens. */
export function useDigitalSigning(
  host: SigningHost,
  status: SignatureStatus | undefined,
  /** Without a place on the pages nothing has to be chosen: the model, which asks for nothing, holds. */
  visible: boolean,
): { state: DigitalSigning; send(event: SigningEvent): void } {
  const [run] = useState(() => new SigningRun(host, opening(host, status, visible)));
  const state = useSyncExternalStore(run.subscribe, run.read);
  useEffect(() => {
    run.hear(host);
  });
  useEffect(() => {
    run.enter();
    return () => run.leave();
  }, [run]);
  useEffect(() => {
    if (status) run.send({ is: 'status', status });
    // A step that begins to wait for the server hears what it said last, too.
  }, [run, status, state.at]);
  return { state, send: run.send };
}

function opening({ acting }: SigningHost, status: SignatureStatus | undefined, visible: boolean): Step {
  const remembered = readRemembered();
  const choice = { cpf: formatCpf(remembered?.cpf ?? ''), keep: remembered !== null, type: null, consent: false };
  return openSigning(status?.status, readAuthorization(acting), choice, visible ? null : { style: 'model', image: null });
}
