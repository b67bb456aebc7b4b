import { Link, Navigate, useLocation, useParams } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { useCall } from '../lib/calls.ts';
import { errorText, retryOf } from '../shell/error-text.ts';
import { Page } from '../shell/page.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { EntityValue } from './entity-value.tsx';
import { type EntityView, shownFields } from './entity-view.ts';
import { useBack } from './use-back.ts';

/** One record, read only, with Back and Edit (section 2); its editor, where it has one of its own. */
export function EntityDetail({ view }: { view: EntityView }) {
  const { id = '' } = useParams();
  const { state } = useLocation();
  if ('Editor' in view.form) return <Navigate to={`${view.address}/${id}/edit`} replace state={state as unknown} />;
  return <Facts view={view} />;
}

function Facts({ view }: { view: EntityView }) {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const location = useLocation();
  const back = useBack(view);
  const { data, error, refetch } = useCall(view.entity.get, { params: { id: id as never } });
  const item = data as Readonly<Record<string, unknown>> | undefined;
  return (
    <Page title={t(`${view.words}.detail`)} frame="form">
      {error && <Failed text={t([`${view.words}.loadFailed`, errorText(error, t)])} onRetry={retryOf(error, refetch)} />}
      {!item && !error && <Loading />}
      <section className="card entity-card">
        {item && (
          <dl className="facts">
            <dt>{t('entity.id')}</dt>
            <dd>{String(item['id'])}</dd>
            {shownFields(view).map((field) => (
              <div key={field.name} className="fact">
                <dt>{t(`${view.words}.field.${field.name}`)}</dt>
                <dd>
                  <EntityValue view={view} field={field} value={item[field.name]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {item && view.Acts && <view.Acts item={item as never} />}
        <div className="actions">
          <Link className="button" to={back}>
            {t('entity.back')}
          </Link>
          {item && (view.canWrite?.(item as never) ?? true) && (
            <Link className="button primary" to={`${view.address}/${id}/edit`} state={location.state as unknown}>
              {t('entity.edit')}
            </Link>
          )}
        </div>
      </section>
    </Page>
  );
}
