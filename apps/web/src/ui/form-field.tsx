import type { InputHTMLAttributes } from 'react';
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form';
import { TextField } from './field.tsx';

type Props<V extends FieldValues> = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'name' | 'value'> & {
  control: Control<V>;
  name: Path<V>;
  label: string;
  hint?: string | undefined;
};

/** A text field of a form: value, fault and focus on the first fault are the form's. */
export function FormTextField<V extends FieldValues>({ control, name, ...shown }: Props<V>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <TextField
      {...shown}
      name={name}
      ref={field.ref}
      value={String(field.value)}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  );
}
