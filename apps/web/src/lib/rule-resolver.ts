import { DomainError } from '@lavra/domain';
import type { FieldValues, Resolver } from 'react-hook-form';

/** A form is held to the rule that the server has too; its sentence stands beside the field. `say` puts a code into words. */
export function ruleResolver<V extends FieldValues>(
  rule: (values: V) => unknown,
  say: (code: string, params: DomainError['params']) => string,
): Resolver<V> {
  return (values) => {
    try {
      rule(values);
      return { values, errors: {} };
    } catch (error) {
      if (!(error instanceof DomainError) || error.field === undefined) throw error;
      const fault = { type: error.code, message: say(error.code, error.params) };
      return { values: {}, errors: { [error.field]: fault } as never };
    }
  };
}
