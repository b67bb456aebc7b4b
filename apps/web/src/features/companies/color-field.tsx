import { readableOn } from '@lavra/domain';
import { type Control, type FieldValues, type Path, useWatch } from 'react-hook-form';
import { FormTextField } from '../../ui/form-field.tsx';

/** A colour as `#RRGGBB`, with words on it as they will be read. */
export function ColorField<V extends FieldValues>({
  control,
  name,
  label,
  sample,
}: {
  control: Control<V>;
  name: Path<V>;
  label: string;
  sample: string;
}) {
  const value = String(useWatch({ control, name }) ?? '');
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <div className="color-field">
      <FormTextField
        control={control}
        name={name}
        label={label}
        maxLength={7}
        placeholder="#0F5A54"
        autoComplete="off"
        spellCheck={false}
      />
      {isColor && (
        <span className="color-sample" style={{ background: value, color: readableOn(value) }}>
          {sample}
        </span>
      )}
    </div>
  );
}
