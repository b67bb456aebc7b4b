import { followSigning, getRequisitionInformation, registerOpened } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect } from 'react';
import { type Params, useParams, useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { callAddress, callApi } from '../../lib/api-client.ts';
import { AHEAD_MS, askAhead as ask, useCall } from '../../lib/calls.ts';
import { beginAhead } from '../../pdf/remote-bytes.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Page } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { documentSource } from './document-source.ts';
import { LinkCode } from './link-code.tsx';
import type { SignerInformation } from './signer-information.ts';
import { SignerView, WAITING_ROWS } from './signer-view.tsx';
import { useSignerLanguage } from './use-signer-language.ts';

/** How often a page that waits for another person's signature looks again. */
const TURN_POLL_MS = 15_000;

/** Who signs, what, and the first document's first bytes: on their way while the page and what draws documents are. */
export function askAhead({ id = '' }: Params): void {
  const user = new URLSearchParams(window.location.search).get('user') ?? undefined;
  ask(getRequisitionInformation, { params: { processId: id }, query: { user } })
    .then(({ documents: [first] }) => first && beginAhead(documentSource(first, user)))
    // Told where it is shown, which asks again.
    .catch(() => {});
}

export function Component() {
  const { t } = useTranslation();
  const id = useParams()['id'] ?? '';
  const user = useSearchParams()[0].get('user') ?? undefined;
  const reading = { freshMs: AHEAD_MS, pollAfter, toldBy: () => callAddress(followSigning, { processId: id, signerId: user ?? '' }) };
  const information = useCall(getRequisitionInformation, { params: { processId: id }, query: { user } }, reading);
  const me = information.data?.me?.id;
  useSignerLanguage(information.data);
  useEffect(() => {
    // An event of the evidence, not a condition of reading: a failure does not stop the page.
    if (me) void callApi(registerOpened, { params: { signerId: me } }).catch(() => {});
  }, [me]);
  if (information.isPending)
    return (
      <Page key="wait" title={t('signer.title')}>
        <p>{t('signer.opening')}</p>
        <Loading rows={WAITING_ROWS} />
      </Page>
    );
  if (information.isError && !information.data)
    return (
      <Page key="error" title={t('signer.title')} frame="form">
        <Failed text={errorText(information.error, t)} onRetry={retryOf(information.error, information.refetch)} />
      </Page>
    );
  if (information.data.code && user !== undefined)
    return (
      <Page key="code" title={information.data.title} frame="form">
        <LinkCode user={user} email={information.data.code.email} creator={information.data.creatorName} title={information.data.title} />
      </Page>
    );
  return (
    <Page key="signer" title={information.data.title}>
      <SignerView id={id} user={user} information={information.data} onChanged={() => void information.refetch()} />
    </Page>
  );
}

/** Documents under preparation are ready in moments; another person's turn may take days. */
function pollAfter(information: SignerInformation | undefined): number | false {
  const me = information?.me;
  if (!me || me.can.sign || information.status !== 'IN_PROGRESS') return false;
  if (me.reason === null) return limits.signingStatusPollMs;
  return me.reason === 'signer.notYourTurn' ? TURN_POLL_MS : false;
}
