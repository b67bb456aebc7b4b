import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { codeText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { processEndText } from '../../shell/status-badge.tsx';
import type { SignerInformation } from './signer-information.ts';
import { useGoHome } from './use-go-home.ts';
import type { SignatureStatus } from './use-signature-status.ts';

/** Long enough to read the warning before the page leaves. */
const WARNING_MS = 5_000;

interface StateNoticeProps {
  status: SignatureStatus | undefined;
  information: SignerInformation;
  id: string;
  user: string | undefined;
}

/** Why the page only shows and does not sign, in words; signed or expired on arrival leaves for the home page. */
export function StateNotice({ status, information, id, user }: StateNoticeProps) {
  const { t } = useTranslation();
  const { me } = information;
  const current = status?.status;
  useGoHome(current === 'SIGNED' || current === 'EXPIRED', WARNING_MS);
  if (!me) return <Notice>{t('signer.visitor')}</Notice>;
  const told = processEndText(information.status, information.endedBy, information.endedAt, t);
  const end = told === null ? '' : ` ${told}`;
  if (current === 'SIGNED') {
    return (
      <Notice kind="warning">
        {/* Somebody else may have ended it since. */}
        <p className="last">{t('signer.alreadySigned') + (status?.finalized ? '' : end)}</p>
        {status?.finalized && (
          <Link className="button" to={`/download/${id}?user=${user}`}>
            {t('word.download')}
          </Link>
        )}
      </Notice>
    );
  }
  if (current === 'EXPIRED' || current === 'CANCELED' || current === 'REJECTED')
    return <Notice kind="warning">{codeText(status?.reason ?? 'process.notInProgress', t) + end}</Notice>;
  if (current === 'ERROR_WHILE_SIGNING')
    return (
      <Notice kind="error">
        {t('signer.failed')} {codeText(status?.reason ?? 'server.unexpected', t, status?.reasonParams)}
      </Notice>
    );
  if (current === 'AUTHORIZING') return <Notice>{t('signer.authorizing')}</Notice>;
  if (me.turnOf) return <Notice>{t('signer.turnOf', { name: me.turnOf })}</Notice>;
  if (!me.can.sign && me.reason === null) return <Notice>{t('signer.preparing')}</Notice>;
  return null;
}
