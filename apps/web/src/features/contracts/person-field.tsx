import { users } from '@lavra/api';
import { useId } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { useCall } from '../../lib/calls.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { FormTextField } from '../../ui/form-field.tsx';
import type { ContractValues } from './contract-values.ts';

/** So many letters say whom one may mean. */
const LETTERS = 2;

/** Somebody's e-mail, with those who have accounts here to choose from. */
export function PersonField(shown: { control: Control<ContractValues>; name: 'applicationUsers'; label: string; hint: string }) {
  const id = useId();
  const words = useSettled(useWatch(shown)).trim();
  const asked = { query: { query: words, size: 8, sort: 'email,asc' } };
  const { data } = useCall(users.search, asked, { enabled: words.length >= LETTERS });
  return (
    <>
      <FormTextField {...shown} type="email" list={id} autoComplete="off" maxLength={254} />
      <datalist id={id}>
        {data?.items.map(({ login, firstName, lastName }) => (
          <option key={login} value={login}>
            {`${firstName} ${lastName ?? ''}`.trim()}
          </option>
        ))}
      </datalist>
    </>
  );
}
