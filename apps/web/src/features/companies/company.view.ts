import { companies } from '@lavra/api';
import { checkedCompany, limits } from '@lavra/domain';
import type { EntityView } from '../../entities/entity-view.ts';

/** Every company, for who administers the installation; a company's own page has the rest. */
export const view: EntityView<typeof companies> = {
  entity: companies,
  address: '/entity/company',
  words: 'company',
  fields: [
    { name: 'name', maxLength: limits.companyNameMax },
    { name: 'cnpj', maxLength: 18 },
    { name: 'maxDocSize', kind: 'number', maxLength: 6 },
    { name: 'maxTime', kind: 'number', maxLength: 6 },
  ],
  hints: ['cnpj', 'maxDocSize', 'maxTime'],
  form: { rule: checkedCompany },
};
