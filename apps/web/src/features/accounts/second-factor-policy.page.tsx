import { getSecondFactorPolicy, type Reply, saveSecondFactorPolicy, type SecondFactorDemand } from '@lavra/api';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct, useCall } from '../../lib/calls.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

const demands = ['nobody', 'administrators', 'everybody'] as const satisfies readonly SecondFactorDemand[];

/** Of whom the installation requires a second factor. */
export function Component() {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(getSecondFactorPolicy, {});
  return (
    <Page title={t('secondFactorPolicy.title')} frame="form">
      {data ? (
        <PolicyForm policy={data} />
      ) : error ? (
        <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />
      ) : (
        <Loading rows={3} />
      )}
    </Page>
  );
}

function PolicyForm({ policy }: { policy: Reply<typeof getSecondFactorPolicy> }) {
  const { t } = useTranslation();
  const [requiredOf, setRequiredOf] = useState(policy.requiredOf);
  const [saved, setSaved] = useState(false);
  const { act, busy, failure } = useAct(saveSecondFactorPolicy, [getSecondFactorPolicy]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    setSaved((await act({ body: { requiredOf } })) !== undefined);
  }

  return (
    <form onSubmit={submit}>
      {saved && <Notice kind="success">{t('secondFactorPolicy.saved')}</Notice>}
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <p>{t('secondFactorPolicy.counts', { accounts: policy.accounts, withFactor: policy.withFactor })}</p>
      <fieldset className="demands">
        <legend>{t('secondFactorPolicy.legend')}</legend>
        {demands.map((demand) => (
          <label key={demand} className="checkbox">
            <input type="radio" name="required-of" checked={requiredOf === demand} onChange={() => setRequiredOf(demand)} />
            <span>{t(`secondFactorPolicy.${demand}`)}</span>
          </label>
        ))}
      </fieldset>
      <p className="hint">{t('secondFactorPolicy.then')}</p>
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('settings.save')}
        </button>
      </div>
    </form>
  );
}
