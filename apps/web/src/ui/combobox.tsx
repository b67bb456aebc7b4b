import { Suspense } from 'react';
import { lazyInTime } from '../lib/lazy-pages.ts';
import { Field } from './field.tsx';
import type { ComboboxInputProps } from './combobox-input.tsx';

const ComboboxInput = lazyInTime(async () => (await import('./combobox-input.tsx')).ComboboxInput);

/** One of many, found by typing a part of its name; neither case nor accents matter. For few and short ones a `select` is better. */
export function Combobox(props: ComboboxInputProps) {
  // Its place is kept, so that nothing moves when it comes.
  const waiting = (
    <Field label={props.label} hint={props.hint}>
      {({ id, describedBy }) => <input id={id} aria-describedby={describedBy} disabled />}
    </Field>
  );
  return (
    <Suspense fallback={waiting}>
      <ComboboxInput {...props} />
    </Suspense>
  );
}
