import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react';
import { Icon } from './icons.tsx';

interface FieldFrame {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
}

/** Label, control, hint and error tied together for readers that do not see. */
export function Field({
  label,
  error,
  hint,
  children,
}: FieldFrame & { children(ids: { id: string; describedBy: string | undefined }): ReactNode }) {
  const id = useId();
  return (
    <div className={error ? 'field field-invalid' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children({ id, describedBy: describedBy(id, { hint, error }) })}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** The ids of what stands below a field, for `aria-describedby`. */
export function describedBy(id: string, { hint, error }: Pick<FieldFrame, 'hint' | 'error'>): string | undefined {
  return [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].join(' ').trim() || undefined;
}

/** What stands below a field: its hint, and what is wrong with it. */
export function FieldNotes({ id, hint, error }: { id: string } & Pick<FieldFrame, 'hint' | 'error'>) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

type TextFieldProps = FieldFrame &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange'> & {
    value: string;
    onChange(value: string): void;
    ref?: Ref<HTMLInputElement>;
  };

export function TextField({ label, error, hint, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <input
          {...input}
          id={id}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** A password with a button that shows it. */
export function PasswordField({
  showLabel,
  hideLabel,
  label,
  error,
  hint,
  onChange,
  ...input
}: TextFieldProps & { showLabel: string; hideLabel: string }) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <span className="password">
          <input
            {...input}
            id={id}
            type={shown ? 'text' : 'password'}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={shown ? hideLabel : showLabel}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon name="eye" />
          </button>
        </span>
      )}
    </Field>
  );
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'onChange'> & {
  label: ReactNode;
  checked: boolean;
  onChange(checked: boolean): void;
  ref?: Ref<HTMLInputElement>;
};

export function Checkbox({ label, onChange, ...input }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input {...input} type="checkbox" onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** A setting that acts at once. */
export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange(checked: boolean): void }) {
  return (
    <label className="switch">
      <input type="checkbox" role="switch" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
