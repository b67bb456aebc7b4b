import { useEffect, useRef } from 'react';
import { useForm, type UseFormSetError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '../lib/api-client.ts';
import { useAct, useCall } from '../lib/calls.ts';
import { ruleResolver } from '../lib/rule-resolver.ts';
import { codeText, errorText } from '../shell/error-text.ts';
import { Notice, Page } from '../shell/page.tsx';
import { FormTextField } from '../ui/form-field.tsx';
import { TextField } from '../ui/field.tsx';
import type { EntityView } from './entity-view.ts';
import { useBack } from './use-back.ts';

type Values = Record<string, string>;
type Item = Readonly<Record<string, unknown>> & { id: string | number; version: number };

/** The form of an entity: empty for a new record, loaded for one that is edited. Saving returns to the list. */
export function EntityForm({ view }: { view: EntityView }) {
  const { t } = useTranslation();
  const { id } = useParams();
  const { data, error, refetch } = useCall(view.entity.get, { params: { id: (id ?? '') as never } }, { enabled: id !== undefined });
  const title = t(id === undefined ? `${view.words}.new` : `${view.words}.edit`);
  const item = id === undefined ? null : (data as Item | undefined);
  return (
    <Page title={title} narrow>
      {error && <Notice kind="error">{errorText(error, t)}</Notice>}
      {item === undefined && !error && <p role="status">{t('shell.loading')}</p>}
      {item !== undefined && <Form key={item?.version ?? 'new'} view={view} item={item} onReload={() => void refetch()} />}
    </Page>
  );
}

function Form({ view, item, onReload }: { view: EntityView; item: Item | null; onReload(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const back = useBack(view);
  const { entity } = view;
  const changes = [entity.list, entity.search, entity.get];
  const creation = useAct(entity.create, changes);
  const change = useAct(entity.update, changes);
  const { busy, failure, forget } = item === null ? creation : change;
  const keyFor = useOnceKey();
  const values = Object.fromEntries(view.fields.map(({ name }) => [name, String(item?.[name] ?? '')]));
  const { control, handleSubmit, setError } = useForm<Values>({
    defaultValues: values,
    resolver: ruleResolver(view.rule as (given: Values) => unknown, (code, params) => codeText(code, t, params)),
  });
  const save = handleSubmit(async (given) => {
    const saved =
      item === null
        ? await creation.act({ body: given as never, idempotencyKey: keyFor(given) })
        : await change.act({ params: { id: item.id as never }, body: { ...given, version: item.version } as never });
    if (saved) await navigate(back, { state: { message: item === null ? 'entity.created' : 'entity.saved' } });
  });
  return (
    <form
      className="card entity-card"
      onSubmit={(event) => {
        forget();
        void save(event);
      }}
      noValidate
    >
      {failure && <Fault failure={failure} setError={setError} onReload={onReload} />}
      {item !== null && <TextField label={t('entity.id')} value={String(item.id)} readOnly onChange={() => {}} />}
      {view.fields.map(({ name, numeric, maxLength }) => (
        <FormTextField
          key={name}
          control={control}
          name={name}
          label={t(`${view.words}.field.${name}`)}
          hint={view.hints?.includes(name) ? t(`${view.words}.hint.${name}`) : undefined}
          inputMode={numeric ? 'numeric' : undefined}
          maxLength={maxLength}
          autoComplete="off"
        />
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

/** What the server refused: beside its field where it has one, else above the form. */
function Fault({ failure, setError, onReload }: { failure: unknown; setError: UseFormSetError<Values>; onReload(): void }) {
  const { t } = useTranslation();
  useEffect(() => {
    if (!(failure instanceof ApiError)) return;
    const faults = failure.fieldErrors.map(({ field, message }) => ({ field, message: codeText(message, t, failure.params) }));
    faults.forEach(({ field, message }, index) => setError(field, { message }, { shouldFocus: index === 0 }));
  }, [failure]);
  if (failure instanceof ApiError && failure.fieldErrors.length > 0) return null;
  return (
    <Notice kind="error">
      {errorText(failure, t)}{' '}
      {failure instanceof ApiError && failure.code === 'record.changed' && (
        <button type="button" onClick={onReload}>
          {t('entity.reload')}
        </button>
      )}
    </Notice>
  );
}

/** The same values sent again, after an answer that did not arrive, are one act. */
function useOnceKey(): (values: Values) => string {
  const last = useRef({ said: '', key: '' });
  return (values) => {
    const said = JSON.stringify(values);
    if (last.current.said !== said) last.current = { said, key: crypto.randomUUID() };
    return last.current.key;
  };
}
