import type { signatureModels } from '@lavra/api';
import { defaultDigitalModel, limits } from '@lavra/domain';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import type { EditorProps } from '../../entities/entity-view.ts';
import { RefusedNotice } from '../../entities/refused-notice.tsx';
import { fieldErrorText } from '../../shell/error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { ModelFields } from './model-fields.tsx';
import { formOf, type ModelForm, modelOf } from './model-form.ts';
import { ModelPreview } from './model-preview.tsx';

/** A model's fields beside the box as it will stand on the page. */
export function ModelEditor({ item, saving }: EditorProps<typeof signatureModels>) {
  const { t } = useTranslation();
  const [form, setForm] = useState<ModelForm>(() => formOf(item ?? defaultDigitalModel));
  const { save, busy, failure, forget, back } = saving;
  const element = useRef<HTMLFormElement>(null);
  const change = (part: Partial<ModelForm>) => {
    setForm((latest) => ({ ...latest, ...part }));
    // What the notice asked for is being done.
    forget();
  };
  const nameError = fieldErrorText(failure, 'name', t);
  const textError = fieldErrorText(failure, 'customText', t);
  // The reason stands beside its field; the reader is taken there.
  useEffect(() => {
    if (failure) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  return (
    <form
      ref={element}
      className="model-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save(modelOf(form));
      }}
      noValidate
    >
      <ModelPreview model={modelOf(form)} />
      <div>
        {failure && !nameError && !textError && <RefusedNotice saving={saving} />}
        <TextField
          label={t('models.field.name')}
          maxLength={limits.nameMax}
          value={form.name}
          onChange={(name) => change({ name })}
          error={nameError}
          required
        />
        <ModelFields form={form} change={change} textError={textError} />
        <div className="actions">
          <Link className="button" to={back}>
            {t('entity.cancel')}
          </Link>
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {t('entity.save')}
          </button>
        </div>
      </div>
    </form>
  );
}
