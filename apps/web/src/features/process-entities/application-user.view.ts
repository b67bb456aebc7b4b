import { applicationUsers, companies } from '@lavra/api';
import { checkedApplicationUser } from '@lavra/domain';
import type { EntityView } from '../../entities/entity-view.ts';

/** Accounts with their CPF and company (section 2): everybody their own, administrators all. */
export const view: EntityView<typeof applicationUsers> = {
  entity: applicationUsers,
  address: '/entity/application-user',
  words: 'applicationUser',
  heading: 'user',
  born: [{ name: 'user', kind: 'reference', of: applicationUsers, by: 'user', required: true }],
  fields: [{ name: 'legalIdentifier', maxLength: 14, numeric: true }],
  shown: [
    { name: 'user', kind: 'reference', of: applicationUsers, by: 'user' },
    { name: 'company', kind: 'reference', of: companies, by: 'name' },
    { name: 'createdDate', kind: 'instant' },
  ],
  hints: ['user', 'legalIdentifier'],
  form: { rule: checkedApplicationUser },
};
