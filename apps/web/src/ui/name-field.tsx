import { droppedFromName, keepNameCharacters, limits } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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
  return (
    <TextField
      {...field}
      maxLength={limits.nameMax}
      hint={dropped === '' ? undefined : t('signer.nameDropped', { characters: dropped })}
      onChange={(text) => {
        setDropped(droppedFromName(text));
        onChange(keepNameCharacters(text));
      }}
    />
  );
}
