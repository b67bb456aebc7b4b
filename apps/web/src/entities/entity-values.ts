import type { Resolver } from 'react-hook-form';
import { enteredOf, type Takes, writtenOf } from './entity-field.ts';
import { askedFields, type EntityView } from './entity-view.ts';

export type Values = Record<string, unknown>;

/** What the form of a record begins with; null: a new one. */
export function enteredValues(view: EntityView, item: Readonly<Values> | null): Values {
  const fields = askedFields(view, item === null);
  return Object.fromEntries(fields.map((field) => [field.name, enteredOf(field, item === null ? field.initial?.() : item[field.name])]));
}

type Say = (key: string, values?: { readonly max: number }) => string;

/** Turns what was entered into what the wire takes before `rule` sees it, and it is sent; what cannot be turned is a fault beside its field. */
export function fieldsResolver(view: EntityView, rule: Resolver<Values>, say: Say, isNew = true): Resolver<Values> {
  return (entered, context, options) => {
    const values: Values = {};
    for (const field of askedFields(view, isNew)) {
      const written = writtenOf(field, entered[field.name], takesOf(view, field.name));
      if ('fault' in written)
        return { values: {}, errors: { [field.name]: { type: 'value', message: say(written.fault, written.params) } } };
      values[field.name] = written.value;
    }
    return rule(values, context, options);
  };
}

function takesOf({ entity }: EntityView, name: string): Takes {
  // What only a new record is asked for, its own call judges.
  return (value) => entity.written[name]?.safeParse(value).success ?? value === undefined;
}
