import { droppedFromName, keepNameCharacters, limits } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { TextField } from './field.tsx';

interface NameFieldProps {
  label: string;
  autoComplete: 'name' | 'off';
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
}

/** Takes a person's name; what a name cannot have is left out while it is typed or pasted, and said so. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  const { t } = useTranslation();
  const [dropped, setDropped] = useState('');
  const count = field.value.trim().length;
  // Counted when the end is near, and never cut: a name goes to the contract whole or not at all.
  const notes = [
    ...(dropped === '' ? [] : [t('signer.nameDropped', { characters: dropped })]),
    ...(count > limits.nameMax - 10 ? [t('signer.nameCount', { count, max: limits.nameMax })] : []),
  ];
  return (
    <TextField
      {...field}
      hint={notes.length === 0 ? undefined : notes.join(' ')}
      error={count > limits.nameMax ? t('signer.nameTooLong', { max: limits.nameMax, count: count - limits.nameMax }) : field.error}
      onChange={(text) => {
        setDropped(droppedFromName(text));
        onChange(keepNameCharacters(text));
      }}
    />
  );
}
