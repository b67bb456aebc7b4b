import { imagePositions, limits, type ModelMeasure, textAlignments, textFonts } from '@lavra/domain';
import { useTranslation } from '../../lib/i18n.ts';
import { Checkbox, Field, TextField } from '../../ui/field.tsx';
import { measureOf, type ModelForm, modelTypes } from './model-form.ts';

interface FieldsProps {
  form: ModelForm;
  change(part: Partial<ModelForm>): void;
}

/** All of a model but its name; what the type does not use is not asked. */
export function ModelFields({ form, change, textError }: FieldsProps & { textError: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <fieldset>
        <legend>{t('models.type')}</legend>
        {modelTypes.map((type) => (
          <label key={type} className="radio">
            <input type="radio" name="type" checked={form.type === type} onChange={() => change({ type })} />
            <span>{t(`models.type.${type}`)}</span>
          </label>
        ))}
      </fieldset>
      {form.type === 'imageAndText' && (
        <Choice
          label={t('models.imagePosition')}
          options={imagePositions.filter((one) => one !== 'NONE')}
          name={(one) => t(`models.imagePosition.${one}`)}
          value={form.imagePosition}
          onChange={(imagePosition) => change({ imagePosition })}
        />
      )}
      {form.type !== 'image' && <TextFields form={form} change={change} textError={textError} />}
      <div className="two">
        <Measure measure="width" form={form} change={change} />
        <Measure measure="height" form={form} change={change} />
      </div>
      <Measure measure="textPadding" form={form} change={change} />
    </>
  );
}

function TextFields({ form, change, textError }: FieldsProps & { textError: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <Field label={t('models.text')} error={textError}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            rows={2}
            maxLength={limits.modelTextMax / 2}
            aria-describedby={describedBy}
            aria-invalid={textError ? true : undefined}
            value={form.text.words}
            onChange={({ target: { value } }) => change({ text: { ...form.text, words: value } })}
          />
        )}
      </Field>
      <fieldset>
        <legend>{t('models.facts')}</legend>
        {(['name', 'cpf', 'date'] as const).map((fact) => (
          <Checkbox
            key={fact}
            label={t(`models.fact.${fact}`)}
            checked={form.text[fact]}
            onChange={(shown) => change({ text: { ...form.text, [fact]: shown } })}
          />
        ))}
      </fieldset>
      <div className="two">
        <Choice
          label={t('models.font')}
          options={textFonts}
          name={(one) => t(`models.font.${one}`)}
          value={form.textFont}
          onChange={(textFont) => change({ textFont })}
        />
        <Choice
          label={t('models.alignment')}
          options={textAlignments}
          name={(one) => t(`models.alignment.${one}`)}
          value={form.textAlignment}
          onChange={(textAlignment) => change({ textAlignment })}
        />
      </div>
      <Measure measure="textFontSize" form={form} change={change} />
    </>
  );
}

function Choice<T extends string>({
  label,
  options,
  name,
  value,
  onChange,
}: {
  label: string;
  options: readonly T[];
  name(option: T): string;
  value: T;
  onChange(value: T): void;
}) {
  return (
    <Field label={label}>
      {({ id }) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value as T)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {name(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Points; what is below the minimum is corrected when the field is left. */
function Measure({ measure, form, change }: FieldsProps & { measure: ModelMeasure }) {
  const { t } = useTranslation();
  const keep = (value: string) => change({ measures: { ...form.measures, [measure]: value } });
  return (
    <TextField
      label={t(`models.${measure}`)}
      hint={t(`models.${measure}Hint`, { min: measureOf({ ...form, measures: { ...form.measures, [measure]: '' } }, measure) })}
      inputMode="decimal"
      autoComplete="off"
      value={form.measures[measure]}
      onChange={(value) => keep(value.replace(/[^\d.,]/g, ''))}
      onBlur={() => keep(String(measureOf(form, measure)))}
    />
  );
}
