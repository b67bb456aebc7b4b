import { createSignatureModel, getSignatureModel, updateSignatureModel } from '@lavra/api';
import { defaultDigitalModel, limits, type SignatureModel } from '@lavra/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { signatureModelsKey } from '../../lib/signature-models.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { ModelFields } from './model-fields.tsx';
import { formOf, type ModelForm, modelOf } from './model-form.ts';
import { ModelPreview } from './model-preview.tsx';

export function Component() {
  const { t } = useTranslation();
  const { modeIdUpdate: id } = (useLocation().state ?? {}) as { modeIdUpdate?: string };
  const { data: model, isError } = useQuery({
    queryKey: ['signature-model', id],
    queryFn: () => callApi(getSignatureModel, { params: { id: id ?? '' } }),
    enabled: id !== undefined,
    retry: false,
    // What is being typed is not replaced by what was there.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Page key={id} title={t(id === undefined ? 'models.createTitle' : 'models.updateTitle')}>
      {isError && <Notice kind="error">{t('models.loadFailed')}</Notice>}
      {id !== undefined && !model && !isError && <p>{t('shell.loading')}</p>}
      {(id === undefined || model) && <Editor id={id} model={model ?? defaultDigitalModel} />}
      {isError && <Link to="/signature-model">{t('models.backToList')}</Link>}
    </Page>
  );
}

function Editor({ id, model }: { id: string | undefined; model: SignatureModel }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [form, setForm] = useState<ModelForm>(() => formOf(model));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const element = useRef<HTMLFormElement>(null);
  const change = (part: Partial<ModelForm>) => {
    setForm((latest) => ({ ...latest, ...part }));
    // What the notice asked for is being done.
    setFailure(null);
  };
  const nameError = fieldErrorText(failure, 'name', t);
  const textError = fieldErrorText(failure, 'customText', t);
  // The reason stands beside its field; the reader is taken there.
  useEffect(() => {
    if (failure !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const body = modelOf(form);
      await (id === undefined ? callApi(createSignatureModel, { body }) : callApi(updateSignatureModel, { body: { ...body, id } }));
      await queries.invalidateQueries({ queryKey: signatureModelsKey });
      await navigate('/signature-model', { state: { message: 'models.saved' } });
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <form ref={element} className="model-editor" onSubmit={(event) => void submit(event)} noValidate>
      <ModelPreview model={modelOf(form)} />
      <div>
        {failure !== null && !nameError && !textError && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <TextField
          label={t('models.name')}
          maxLength={limits.nameMax}
          value={form.name}
          onChange={(name) => change({ name })}
          error={nameError}
          required
        />
        <ModelFields form={form} change={change} textError={textError} />
        <div className="actions">
          <Link className="button" to="/signature-model">
            {t('models.cancel')}
          </Link>
          <button type="submit" className="primary" disabled={busy}>
            {t('models.save')}
          </button>
        </div>
      </div>
    </form>
  );
}
