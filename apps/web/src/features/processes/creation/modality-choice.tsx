import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useDefaultElectronicModel, useSignatureModels } from '../../../lib/signature-models.ts';
import { Notice } from '../../../shell/page.tsx';
import { TermHelp } from '../../../shell/term-help.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { withChoice, withModality } from './draft-model.ts';
import type { ProcessDraft, UpdateDraft } from './process-draft.ts';

interface ModalityProps {
  draft: ProcessDraft;
  update: UpdateDraft;
}

/** The two modalities, each named with its legal level; what belongs to one is active only while it is chosen. */
export function ModalityChoice({ draft, update }: ModalityProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend>{t('confirm.modality')}</legend>
      <Modality kind="digital" draft={draft} update={update}>
        {draft.modality === 'digital' && draft.visible && <ModelChoice draft={draft} update={update} />}
      </Modality>
      <Modality kind="electronic" draft={draft} update={update}>
        {draft.modality === 'electronic' && draft.visible && <DefaultModelFault />}
        <Checkbox
          label={t('confirm.geolocationOptional')}
          checked={draft.geolocationOptional && draft.modality === 'electronic'}
          disabled={draft.modality !== 'electronic'}
          onChange={(geolocationOptional) => update({ geolocationOptional })}
        />
      </Modality>
      <TermHelp terms={['qualified', 'advanced']} />
    </fieldset>
  );
}

function Modality({ kind, draft, update, children }: ModalityProps & { kind: 'digital' | 'electronic'; children: ReactNode }) {
  const { t } = useTranslation();
  const { data: models } = useSignatureModels();
  const chosen = draft.modality === kind;
  return (
    <>
      <label className="radio">
        <input type="radio" name="modality" checked={chosen} onChange={() => update((latest) => withModality(latest, kind, models))} />
        <span>
          <strong>{t(`confirm.${kind}`)}</strong>
          <br />
          <span className="hint">{t(`confirm.${kind}Level`)}</span>
        </span>
      </label>
      <div className="modality-options">
        <Checkbox
          label={t('confirm.visible')}
          checked={draft.visible && chosen}
          disabled={!chosen}
          onChange={(visible) => update({ visible })}
        />
        {children}
      </div>
    </>
  );
}

/** Said where the default model could not be asked for; the boxes are then as large as this program knows it. */
function DefaultModelFault() {
  const { t } = useTranslation();
  return useDefaultElectronicModel(true).isError ? <Notice kind="error">{t('model.notFound')}</Notice> : null;
}

/** Nobody's own model; theirs have ids of another form. */
const BUILT_IN = 'built-in';

/** How the visible signature is laid out: one of the creator's own models, or the built-in one. */
function ModelChoice({ draft, update }: ModalityProps) {
  const { t } = useTranslation();
  const { data: models, isError } = useSignatureModels();
  const known = models?.some(({ id }) => id === draft.modelId) ?? true;
  // A model that was deleted meanwhile is nobody's choice any more.
  useEffect(() => {
    if (draft.modelId !== null && !known) update({ modelId: null, boxes: {} });
  }, [draft.modelId, known, update]);
  return (
    <div className="model-choice">
      {isError && <Notice kind="error">{t('models.listFailed')}</Notice>}
      <Combobox
        label={t('confirm.model')}
        hint={t('confirm.modelHint')}
        options={[{ id: BUILT_IN, text: t('confirm.modelDefault') }, ...(models ?? []).map(({ id, name }) => ({ id, text: name }))]}
        value={draft.modelId ?? BUILT_IN}
        onChange={(chosen) => update((latest) => withChoice(latest, { modelId: chosen === BUILT_IN ? null : chosen }, models))}
      />
    </div>
  );
}
