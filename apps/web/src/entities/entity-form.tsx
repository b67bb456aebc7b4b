import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { useCall } from '../lib/calls.ts';
import { ruleResolver } from '../lib/rule-resolver.ts';
import { codeText, errorText, retryOf } from '../shell/error-text.ts';
import { Page } from '../shell/page.tsx';
import { TextField } from '../ui/field.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { EntityInput } from './entity-input.tsx';
import { enteredValues, fieldsResolver, type Values } from './entity-values.ts';
import { askedFields, type EntityView } from './entity-view.ts';
import { SavingFault } from './saving-fault.tsx';
import { useBack } from './use-back.ts';
import { type Item, type Reading, type Saving, useSaving } from './use-saving.ts';

/** The form of an entity: empty for a new record, loaded for one that is edited. Saving returns to the list. */
export function EntityForm({ view }: { view: EntityView }) {
  const id = useEditedId();
  // One record is never shown at the address of another, however one came from there.
  return <FormOf key={id ?? 'new'} view={view} id={id} />;
}

function FormOf({ view, id }: { view: EntityView; id: string | undefined }) {
  const { t } = useTranslation();
  const back = useBack(view);
  const { data, error, refetch, isFetchedAfterMount } = useCall(
    view.entity.get,
    { params: { id: (id ?? '') as never } },
    { enabled: id !== undefined },
  );
  // What is being typed is not replaced by what is read anew.
  const [opened, open] = useState<Item | null>();
  const [reloads, setReloads] = useState(0);
  const item = id === undefined ? null : opened;
  if (id !== undefined && !opened && data && isFetchedAfterMount) open(data as Item);
  // What could not be read takes nothing of the form away.
  const follow = async (then = () => {}) => {
    const fresh = await refetch();
    if (!fresh.isSuccess) return;
    open(fresh.data as Item);
    then();
  };
  const reload = () => void follow(() => setReloads((count) => count + 1));
  const title = t(id === undefined ? `${view.words}.new` : `${view.words}.edit`);
  return (
    <Page title={title} frame={'Editor' in view.form ? 'list' : 'form'}>
      {error && <Failed text={t([`${view.words}.loadFailed`, errorText(error, t)])} onRetry={retryOf(error, refetch)} />}
      {error && !item && <Link to={back}>{t('entity.back')}</Link>}
      {item === undefined && !error && <Loading />}
      {item !== undefined && <Form key={reloads} view={view} item={item} reading={{ reload, follow: () => void follow() }} />}
    </Page>
  );
}

/** Which record is edited, by the address or, at the specification's own, by what came along. */
function useEditedId(): string | undefined {
  const { id } = useParams();
  const { state } = useLocation();
  return id ?? (state as { modeIdUpdate?: string } | null)?.modeIdUpdate;
}

function Form({ view, item, reading }: { view: EntityView; item: Item | null; reading: Reading }) {
  const saving = useSaving(view, item, reading);
  if ('Editor' in view.form) return <view.form.Editor item={item as never} saving={saving} />;
  return <FieldsForm view={view} item={item} saving={saving} rule={view.form.rule} />;
}

function FieldsForm({
  view,
  item,
  saving,
  rule,
}: {
  view: EntityView;
  item: Item | null;
  saving: Saving;
  rule: (values: never) => unknown;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { busy, failure, forget, back } = saving;
  const held = ruleResolver(rule as (given: Values) => unknown, (code, params) => codeText(code, t, params));
  const { control, handleSubmit, setError, getValues } = useForm<Values>({
    defaultValues: enteredValues(view, item),
    resolver: fieldsResolver(view, held, t, item === null),
  });
  const save = handleSubmit(saving.save);
  return (
    <form
      className="card entity-card"
      onSubmit={(event) => {
        forget();
        void save(event);
      }}
      noValidate
    >
      {failure && <SavingFault saving={saving} setError={setError} getValues={getValues} />}
      {item !== null && <TextField label={t('entity.id')} value={String(item.id)} readOnly onChange={() => {}} />}
      {askedFields(view, item === null).map((field) => (
        <EntityInput key={field.name} view={view} field={field} control={control} />
      ))}
      <div className="actions">
        <button type="button" onClick={() => void navigate(back)}>
          {t('entity.back')}
        </button>
        <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
          {t('entity.save')}
        </button>
      </div>
    </form>
  );
}
