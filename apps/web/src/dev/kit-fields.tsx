import { DomainError } from '@lavra/domain';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ruleResolver } from '../lib/rule-resolver.ts';
import { Combobox } from '../ui/combobox.tsx';
import { DateTimeField } from '../ui/date-time-field.tsx';
import { Checkbox, Field, PasswordField, Switch, TextField } from '../ui/field.tsx';
import { FormTextField } from '../ui/form-field.tsx';
import { maskDigits } from '../ui/masks.ts';
import { NameField } from '../ui/name-field.tsx';
import { useKitWords } from './use-kit-words.ts';

const cities = ['Belém', 'Belo Horizonte', 'Brasília', 'Curitiba', 'Florianópolis', 'Goiânia', 'Maceió', 'Recife', 'Salvador', 'São Paulo'];

/** Every field, each with what it has to say. */
export function KitFields() {
  const w = useKitWords();
  const [text, setText] = useState({ name: 'Ana', cpf: '', password: 'Segredo123', fault: '' });
  const [on, setOn] = useState({ agree: false, remind: true });
  const [city, setCity] = useState('Brasília');
  const set = (part: Partial<typeof text>) => setText({ ...text, ...part });
  return (
    <section className="card" aria-labelledby="kit-fields">
      <h2 id="kit-fields">{w('fields')}</h2>
      <NameField label={w('name')} autoComplete="off" value={text.name} onChange={(name) => set({ name })} />
      <TextField
        label={`${w('name')} 2`}
        hint={w('hint')}
        error={w('fault')}
        autoComplete="off"
        value={text.fault}
        onChange={(fault) => set({ fault })}
      />
      <TextField
        label={w('cpf')}
        inputMode="numeric"
        autoComplete="off"
        value={text.cpf}
        onChange={(cpf) => set({ cpf: maskDigits(cpf, '999.999.999-99') })}
      />
      <PasswordField
        label={w('password')}
        showLabel={w('show')}
        hideLabel={w('hide')}
        autoComplete="off"
        value={text.password}
        onChange={(password) => set({ password })}
      />
      <Deadline />
      <Combobox
        label={w('city')}
        hint={w('hint')}
        options={cities.map((one) => ({ id: one, text: one }))}
        value={city}
        onChange={setCity}
      />
      <Field label={w('order')}>
        {({ id }) => (
          <select id={id}>
            <option>1</option>
            <option>2</option>
          </select>
        )}
      </Field>
      <Checkbox label={w('agree')} checked={on.agree} onChange={(agree) => setOn({ ...on, agree })} />
      <Switch label={w('remind')} checked={on.remind} onChange={(remind) => setOn({ ...on, remind })} />
    </section>
  );
}

function Deadline() {
  const w = useKitWords();
  const [instant, setInstant] = useState<string | null>('2026-12-24T21:30:00.000Z');
  return (
    <>
      <DateTimeField label={w('deadline')} value={instant} min="2026-12-10T12:00:00.000Z" onChange={setInstant} />
      <output className="hint" data-testid="instant">
        {instant ?? '—'}
      </output>
    </>
  );
}

/** A form that is held to a rule: the fault stands beside its field, which gets the focus. */
export function KitForm() {
  const w = useKitWords();
  const { control, handleSubmit } = useForm({
    defaultValues: { email: '' },
    resolver: ruleResolver(
      ({ email }: { email: string }) => {
        if (email === '') throw new DomainError('signer.emailInvalid', { field: 'email' });
      },
      () => w('fault'),
    ),
  });
  return (
    <form className="card" aria-labelledby="kit-form" noValidate onSubmit={(event) => void handleSubmit(() => {})(event)}>
      <h2 id="kit-form">{w('form')}</h2>
      <FormTextField control={control} name="email" label={w('email')} autoComplete="off" />
      <button type="submit" className="primary">
        {w('save')}
      </button>
    </form>
  );
}
