import { useLocation, useNavigate, useParams } from 'react-router';
import { leftSince } from '../lib/go.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useAct, useCall } from '../lib/calls.ts';
import { entityErrorText } from '../shell/error-text.ts';
import { Notice } from '../shell/page.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.ts';
import { type EntityView, nameOf } from './entity-view.ts';
import type { Item } from './use-saving.ts';

/** The dialog over the list: open on load, back to the list when it is cancelled or has deleted (section 2). */
export function EntityDeletion({ view }: { view: EntityView }) {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const { entity } = view;
  const { data, error } = useCall(entity.get, { params: { id: id as never } });
  const { act, busy, failure } = useAct(entity.remove, [entity.list, entity.search]);
  const close = (message?: string) => void navigate(`${view.address}${search}`, message ? { state: { message } } : {});
  const fault = failure ?? error;
  const remove = async () => {
    const hasLeft = leftSince();
    if (!(await act({ params: { id: id as never } }))) return;
    if (hasLeft()) showToast({ text: t('entity.deleted') });
    else close('entity.deleted');
  };
  return (
    <Dialog title={t('entity.deleteTitle')} closeLabel={t('dialog.close')} busy={busy} onClose={() => close()}>
      {data && <p>{t([`${view.words}.deleteQuestion`, 'entity.deleteQuestion'], { name: nameOf(view, data as Item) })}</p>}
      {!data && !error && <Loading rows={1} />}
      {fault && <Notice kind="error">{entityErrorText(fault, t)}</Notice>}
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={() => close()}>
          {t('entity.cancel')}
        </button>
        <button type="button" className="danger" disabled={busy || !data} aria-busy={busy} onClick={() => void remove()}>
          {t('entity.delete')}
        </button>
      </div>
    </Dialog>
  );
}
