import { contractTypes } from '@lavra/api';
import { checkedContractType, contractQuotas, limits } from '@lavra/domain';
import type { EntityView } from '../../entities/entity-view.ts';

/** Plans and their quotas (section 2). */
export const view: EntityView<typeof contractTypes> = {
  entity: contractTypes,
  address: '/contract-type',
  words: 'contractType',
  fields: [{ name: 'name', maxLength: limits.nameMax }, ...contractQuotas.map((name) => ({ name, numeric: true, maxLength: 9 }))],
  hints: contractQuotas,
  form: { rule: checkedContractType },
};
