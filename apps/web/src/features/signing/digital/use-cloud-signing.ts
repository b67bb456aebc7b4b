import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../lib/api-client.ts';
import { codeText, errorText } from '../../../shell/error-text.ts';
import type { SignatureStatus } from '../use-signature-status.ts';
import type { Acting, DigitalRequest } from './appearance.ts';
import { type Authorization, authorize, findProviders, forgetAuthorization, giveUp, readAuthorization } from './authorization.ts';
import { openProviderWindow, sendToProvider } from './provider-window.ts';

interface CloudContext {
  acting: Acting;
  onAuthorizing(): void;
  onRefresh(): Promise<SignatureStatus | undefined>;
  onChanged(): void;
}

export type CloudSigning = ReturnType<typeof useCloudSigning>;

/** Search, choice, authorisation and what goes wrong with them. What waits for the person survives a reload. */
export function useCloudSigning({ acting, onAuthorizing, onRefresh, onChanged }: CloudContext) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  /** What the search has against the CPF; it stands beside that field. */
  const [cpfFault, setCpfFault] = useState<string | undefined>();
  const [unanswered, setUnanswered] = useState<string[]>([]);
  const [providers, setProviders] = useState<string[] | null>(null);
  const [waiting, setWaiting] = useState<Authorization | null>(() => readAuthorization(acting));
  const [blocked, setBlocked] = useState(false);

  function clear(): void {
    setFailure(null);
    setCpfFault(undefined);
    setUnanswered([]);
    setProviders(null);
  }
  /** Ends the waiting, with the reason where there is one to tell. */
  function fail(text: string | null): void {
    forgetAuthorization(acting);
    clear();
    setWaiting(null);
    setFailure(text);
  }
  async function ask(psc: string, request: DigitalRequest, opened: Window | null): Promise<void> {
    try {
      const made = await authorize(psc, request);
      const reached = made.url !== null && sendToProvider(opened, made.url);
      if (!reached) opened?.close();
      setBlocked(made.url !== null && !reached);
      clear();
      setWaiting(made);
      onAuthorizing();
    } catch (error) {
      opened?.close();
      setFailure(errorText(error, t));
    }
  }
  return {
    busy,
    failure,
    cpfFault,
    unanswered,
    providers,
    waiting,
    blocked,
    clear,
    fail,
    /** One result is signed with directly; several are to be chosen from. The window opens with the click and closes when it is not needed. */
    async search(request: DigitalRequest): Promise<void> {
      const opened = openProviderWindow(t('digital.searching'));
      setBusy(true);
      clear();
      try {
        const answer = await findProviders(request, request.cpf);
        const [only, ...others] = answer.found;
        if (only && others.length === 0) return await ask(only, request, opened);
        opened?.close();
        setUnanswered(answer.unanswered);
        if (only) setProviders(answer.found);
        else setCpfFault(t('digital.noneFound'));
      } catch (error) {
        opened?.close();
        if (error instanceof ApiError && error.code === 'signer.otherCpf') setCpfFault(errorText(error, t));
        else setFailure(`${t('digital.searchFailed')} — ${errorText(error, t)}`);
      } finally {
        setBusy(false);
      }
    },
    async choose(psc: string, request: DigitalRequest): Promise<void> {
      const opened = openProviderWindow(t('digital.opening'));
      setBusy(true);
      setFailure(null);
      await ask(psc, request, opened);
      setBusy(false);
    },
    async cancel(): Promise<void> {
      // Told here in any case: if it was too late, the status says so.
      fail(null);
      await giveUp(acting).catch((error: unknown) => setFailure(errorText(error, t)));
      await onRefresh();
    },
    /** The time is over; unless the answer came in the last moment. */
    async expire(): Promise<void> {
      const status = (await onRefresh())?.status;
      if (status === 'SIGNING' || status === 'SIGNED') return;
      fail(codeText('signing.authorizationExpired', t));
      onChanged();
    },
  };
}
