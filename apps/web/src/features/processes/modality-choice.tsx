import { defaultDigitalModel } from '@lavra/domain';
import { useTranslation } from 'react-i18next';
import { Checkbox, Field } from '../../ui/field.tsx';
import type { ProcessDraft } from './process-draft.ts';

interface ModalityProps {
  draft: ProcessDraft;
  update(change: Partial<ProcessDraft>): void;
}

/** The two modalities, each named with its legal level; what belongs to one is active only while it is chosen. */
export function ModalityChoice({ draft, update }: ModalityProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend>{t('confirm.modality')}</legend>
      <Modality kind="digital" number={1} draft={draft} update={update} />
      {draft.modality === 'digital' && draft.visible && <ModelChoice />}
      <Modality kind="electronic" number={2} draft={draft} update={update} />
      <Checkbox
        label={t('confirm.geolocationOptional')}
        checked={draft.geolocationOptional && draft.modality === 'electronic'}
        disabled={draft.modality !== 'electronic'}
        onChange={(geolocationOptional) => update({ geolocationOptional })}
      />
    </fieldset>
  );
}

function Modality({ kind, number, draft, update }: ModalityProps & { kind: 'digital' | 'electronic'; number: number }) {
  const { t } = useTranslation();
  const chosen = draft.modality === kind;
  return (
    <>
      <label className="radio">
        <input type="radio" name="modality" checked={chosen} onChange={() => update({ modality: kind })} />
        <span>
          <strong>
            {number}. {t(`confirm.${kind}`)}
          </strong>
          <br />
          <span className="hint">{t(`confirm.${kind}Level`)}</span>
        </span>
      </label>
      <Checkbox
        label={t('confirm.visible')}
        checked={draft.visible && chosen}
        disabled={!chosen}
        onChange={(visible) => update({ visible })}
      />
    </>
  );
}

/** How the visible signature is laid out. There is one model so far, the built-in one. */
function ModelChoice() {
  const { t } = useTranslation();
  return (
    <div className="model-choice">
      <Field label={t('confirm.model')} hint={t('confirm.modelHint')}>
        {({ id, describedBy }) => (
          <select id={id} aria-describedby={describedBy}>
            <option>{defaultDigitalModel.name}</option>
          </select>
        )}
      </Field>
    </div>
  );
}
