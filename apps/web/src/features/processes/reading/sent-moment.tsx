import { getSubDataProcess } from '@lavra/api';
import { Link, useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { useCall } from '../../../lib/calls.ts';
import { listNames } from '../../../lib/format.ts';
import { Icon } from '../../../ui/icons.tsx';

/** What somebody has just sent: to whom, and what comes next. It stays until it is put away. */
export function SentMoment({ id }: { id: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { data } = useCall(getSubDataProcess, { params: { processId: id } });
  if (!data) return null;
  const first = Math.min(...data.signers.map(({ order }) => order));
  const names = (isFirst: boolean) => listNames(data.signers.filter(({ order }) => (order === first) === isFirst).map(({ name }) => name));
  const later = names(false);
  return (
    <section className="card sent-moment" aria-labelledby="sent">
      <span className="sent-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
      <div className="told grow" role="status">
        <h2 id="sent">{t('sent.title', { names: names(true) })}</h2>
        <p>{t(later === '' ? 'sent.next' : 'sent.nextInTurn', { names: later })}</p>
      </div>
      <div className="actions">
        <Link className="button primary" to={`/signature/process/${id}`}>
          {t('sent.follow')}
        </Link>
        <button type="button" className="quiet" onClick={() => void navigate(`/signature${search}`, { replace: true, state: null })}>
          {t('sent.close')}
        </button>
      </div>
    </section>
  );
}
