import { getSecondFactors, type SecondFactors } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { BackupCodes } from './second-factor/backup-codes.tsx';
import { knowsPasskeys } from './second-factor/knows-passkeys.ts';
import { PasskeyRow } from './second-factor/passkey-row.tsx';
import { ProofDialog } from './second-factor/proof-form.tsx';
import { TotpSetup } from './second-factor/totp-setup.tsx';
import { useFactors } from './second-factor/use-factors.ts';

export function Component() {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(getSecondFactors, {});
  return (
    <Page title={t('factor.title')} frame="form">
      {data ? (
        <Factors factors={data} />
      ) : error ? (
        <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />
      ) : (
        <Loading rows={3} />
      )}
    </Page>
  );
}

function Factors({ factors }: { factors: SecondFactors }) {
  const { t } = useTranslation();
  const acts = useFactors(factors);
  if (acts.codes) return <BackupCodes codes={acts.codes} onKept={acts.codesKept} />;
  if (acts.totp)
    return (
      <TotpSetup
        totp={acts.totp}
        busy={acts.busy}
        failure={acts.codeFailure}
        onCode={(code) => void acts.confirm(code)}
        onBack={acts.leaveTotp}
      />
    );
  const told = acts.wanted === null && (acts.fault !== null || acts.failure !== null);
  return (
    <>
      <p>{t('factor.about')}</p>
      {factors.required && <Notice>{t('factor.required')}</Notice>}
      {told && <Notice kind="error">{acts.fault === null ? errorText(acts.failure, t) : t(acts.fault)}</Notice>}
      <Passkeys factors={factors} acts={acts} />
      <App factors={factors} acts={acts} />
      <Codes factors={factors} acts={acts} />
      {acts.wanted && (
        <ProofDialog
          title={t('factor.proofTitle')}
          factors={factors}
          failure={acts.failure}
          busy={acts.busy}
          onProof={acts.prove}
          onClose={acts.leave}
        />
      )}
    </>
  );
}

interface PartProps {
  factors: SecondFactors;
  acts: ReturnType<typeof useFactors>;
}

function Passkeys({ factors, acts }: PartProps) {
  const { t } = useTranslation();
  const offered = factors.passkeysOffered && knowsPasskeys();
  return (
    <section className="card" aria-labelledby="factor-passkeys">
      <h2 id="factor-passkeys">{t('factor.passkeys')}</h2>
      <p className="hint">{t(offered ? 'factor.passkeyAbout' : 'account.passkeysNotOffered')}</p>
      <ul className="list passkeys">
        {factors.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => acts.want({ kind: 'removePasskey', id: passkey.id })} />
        ))}
      </ul>
      {offered && (
        <div className="actions">
          <button type="button" disabled={acts.busy} onClick={() => acts.want({ kind: 'addPasskey' })}>
            {t('factor.addPasskey')}
          </button>
        </div>
      )}
    </section>
  );
}

function App({ factors: { totp }, acts }: PartProps) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="factor-totp">
      <h2 id="factor-totp">{t('factor.totp')}</h2>
      <p className="hint">{totp?.lastUsedDate ? t('factor.lastUsed', { at: formatDateTime(totp.lastUsedDate) }) : t('factor.totpAbout')}</p>
      <div className="actions">
        {totp ? (
          <button type="button" disabled={acts.busy} onClick={() => acts.want({ kind: 'removeTotp' })}>
            {t('factor.removeTotp')}
          </button>
        ) : (
          <button type="button" disabled={acts.busy} onClick={() => acts.want({ kind: 'addTotp' })}>
            {t('factor.addTotp')}
          </button>
        )}
      </div>
    </section>
  );
}

function Codes({ factors, acts }: PartProps) {
  const { t } = useTranslation();
  if (!factors.totp && factors.passkeys.length === 0) return null;
  return (
    <section className="card" aria-labelledby="factor-codes">
      <h2 id="factor-codes">{t('factor.backupCodes')}</h2>
      <p className="hint">{t('factor.backupCodesLeft', { count: factors.backupCodesLeft })}</p>
      <div className="actions">
        <button type="button" disabled={acts.busy} onClick={() => acts.want({ kind: 'renewCodes' })}>
          {t('factor.renewCodes')}
        </button>
      </div>
    </section>
  );
}
