import type { Authority } from '@lavra/api';
import type { EntityView } from './entities/entity-view.ts';

/** The entities that have screens: where they are, who sees them, and their entry in the menu. */
export interface EntityScreen {
  readonly address: string;
  /** The specification's own address of the form; `modeIdUpdate` in the navigation's state says which record. */
  readonly formAddress?: string;
  readonly authority: Authority;
  /** The menu's word, in the locales. */
  readonly menu: string;
  readonly load: () => Promise<{ readonly view: EntityView }>;
}

export const entityScreens: readonly EntityScreen[] = [
  {
    address: 'signature-model',
    formAddress: 'register-signature-model',
    authority: 'ROLE_USER',
    menu: 'models.title',
    load: () => import('./features/signature-models/signature-model.view.tsx'),
  },
  {
    address: 'contract',
    authority: 'ROLE_ADMIN',
    menu: 'contract.title',
    load: () => import('./features/contracts/contract.view.tsx'),
  },
  {
    address: 'contract-type',
    authority: 'ROLE_ADMIN',
    menu: 'contractType.title',
    load: () => import('./features/contract-types/contract-type.view.ts'),
  },
  {
    address: 'entity/company',
    authority: 'ROLE_ADMIN',
    menu: 'company.title',
    load: () => import('./features/companies/company.view.ts'),
  },
];
