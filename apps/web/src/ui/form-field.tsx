import { type InputHTMLAttributes, useId } from 'react';
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form';
import { DateTimeField } from './date-time-field.tsx';
import { Checkbox, describedBy, Field, FieldNotes, TextField } from './field.tsx';

interface Held<V extends FieldValues> {
  control: Control<V>;
  name: Path<V>;
  label: string;
  hint?: string | undefined;
}

type Props<V extends FieldValues> = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'name' | 'value'> &
  Held<V> & {
    /** What becomes of what is typed or pasted. */
    mask?: (text: string) => string;
  };

/** A text field of a form: value, fault and focus on the first fault are the form's. */
export function FormTextField<V extends FieldValues>({ control, name, mask, ...shown }: Props<V>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <TextField
      {...shown}
      name={name}
      ref={field.ref}
      value={String(field.value)}
      onChange={(text) => field.onChange(mask ? mask(text) : text)}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  );
}

/** One of some. */
export function FormSelect<V extends FieldValues>({
  control,
  name,
  label,
  hint,
  options,
}: Held<V> & { options: readonly { value: string; text: string }[] }) {
  const { field, fieldState } = useController({ control, name });
  const error = fieldState.error?.message;
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <select
          id={id}
          name={name}
          ref={field.ref}
          value={String(field.value)}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          onChange={field.onChange}
          onBlur={field.onBlur}
        >
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Yes or no. */
export function FormCheckbox<V extends FieldValues>({ control, name, label, hint }: Held<V>) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const error = fieldState.error?.message;
  return (
    <div>
      <Checkbox
        label={label}
        name={name}
        ref={field.ref}
        checked={field.value === true}
        aria-describedby={describedBy(id, { hint, error })}
        aria-invalid={error ? true : undefined}
        onChange={field.onChange}
        onBlur={field.onBlur}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** Any of some. */
export function FormChecks<V extends FieldValues>({
  control,
  name,
  label,
  hint,
  options,
  none,
}: Held<V> & { options: readonly { value: string; text: string }[]; none: string }) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const error = fieldState.error?.message;
  const chosen = field.value as readonly string[];
  const toggle = (value: string) => field.onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <fieldset className="checks" aria-describedby={describedBy(id, { hint, error })}>
      <legend>{label}</legend>
      {options.length === 0 && <p className="muted">{none}</p>}
      {options.map(({ value, text }, index) => (
        <Checkbox
          key={value}
          label={text}
          {...(index === 0 ? { ref: field.ref } : {})}
          checked={chosen.includes(value)}
          onChange={() => toggle(value)}
        />
      ))}
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  );
}

/** A day and a time. */
export function FormInstant<V extends FieldValues>({ control, name, label }: Held<V>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <fieldset className="checks">
      <legend>{label}</legend>
      <DateTimeField
        label={label}
        value={field.value === '' ? null : String(field.value)}
        min={ALWAYS}
        error={fieldState.error?.message}
        onChange={(instant) => field.onChange(instant ?? '')}
      />
    </fieldset>
  );
}

/** The product is younger. */
const ALWAYS = '2020-01-01T00:00:00.000Z';
