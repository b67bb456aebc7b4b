import {
  type AccountIdentity,
  getSecondFactors,
  listAccountIdentities,
  type Proof,
  rebindIdentity,
  type SecondFactors,
  unbindIdentity,
} from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct, useCall } from '../../../lib/calls.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { isSingleSignOn } from '../../../lib/single-sign-on.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { ProofDialog } from '../second-factor/proof-form.tsx';

/** The providers that open the account; nothing where none ever did, and in single sign-on mode, which knows one way in. */
export function IdentitiesPart() {
  return isSingleSignOn() ? null : <Identities />;
}

function Identities() {
  const { t } = useTranslation();
  const { data } = useCall(listAccountIdentities, {});
  const { data: factors } = useCall(getSecondFactors, {});
  if (!data || !factors || data.identities.length === 0) return null;
  return (
    <section className="account-part" aria-labelledby="account-identities">
      <h2 id="account-identities">{t('identities.title')}</h2>
      <ul className="sessions">
        {data.identities.map((identity) => (
          <IdentityLine key={identity.id} identity={identity} factors={factors} />
        ))}
      </ul>
    </section>
  );
}

function IdentityLine({ identity, factors }: { identity: AccountIdentity; factors: SecondFactors }) {
  const { t } = useTranslation();
  const { provider, unboundDate } = identity;
  const isBound = unboundDate === null;
  const { act, busy, failure, forget } = useAct(isBound ? unbindIdentity : rebindIdentity, [listAccountIdentities]);
  const [asking, setAsking] = useState(false);
  const change = async (proof: Proof) => {
    if (!(await act({ params: { id: identity.id }, body: { proof } }))) return;
    setAsking(false);
    showToast({ text: t(isBound ? 'identities.unbound' : 'identities.rebound') });
  };
  const start = () => {
    forget();
    // A social account without any factor has nothing to show.
    if (factors.hasPassword || factors.totp || factors.passkeys.length > 0) setAsking(true);
    else void change({});
  };
  return (
    <li>
      <div>
        <p>
          <strong>{provider}</strong>
        </p>
        <p className="hint">
          {isBound
            ? t('identities.used', { at: formatDateTime(identity.lastUsedDate) })
            : t('identities.off', { at: formatDateTime(unboundDate) })}
        </p>
        {failure !== null && !asking && <Notice kind="error">{errorText(failure, t)}</Notice>}
      </div>
      <button
        type="button"
        disabled={busy}
        aria-label={t(isBound ? 'identities.unbindOf' : 'identities.rebindOf', { provider })}
        onClick={start}
      >
        {t(isBound ? 'identities.unbind' : 'identities.rebind')}
      </button>
      {asking && (
        <ProofDialog
          title={t('identities.proof')}
          factors={factors}
          failure={failure}
          busy={busy}
          onProof={(proof) => void change(proof)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
