import type { Authority } from '@lavra/api';
import type { EntityView } from './entities/entity-view.ts';

/** The entities that have screens: where they are, who sees them, and their entry in the menu. */
export interface EntityScreen {
  readonly address: string;
  /** The specification's own address of the form; `modeIdUpdate` in the navigation's state says which record. */
  readonly formAddress?: string;
  /** Who sees it; some: whoever holds one of them. */
  readonly authority: Authority | readonly Authority[];
  /** What it is called, in the locales. */
  readonly menu: string;
  /** True where it stands in the page of all entities alone. */
  readonly isMinor?: true;
  /** The specification's own addresses of it, below their common part, where nothing else stands. */
  readonly also?: { readonly at: string; readonly paths: readonly string[] };
  readonly load: () => Promise<{ readonly view: EntityView }>;
}

const people = ['ROLE_USER', 'ROLE_ADMIN'] as const;
const allPaths = ['', 'new', ':id', ':id/edit', ':id/delete'] as const;

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
  {
    address: 'entity/signature-process',
    authority: people,
    menu: 'processEntity.title',
    isMinor: true,
    also: { at: 'signature-process', paths: allPaths },
    load: () => import('./features/process-entities/signature-process.view.ts'),
  },
  {
    address: 'entity/document',
    authority: people,
    menu: 'documentEntity.title',
    isMinor: true,
    also: { at: 'document', paths: allPaths },
    load: () => import('./features/process-entities/document.view.ts'),
  },
  {
    address: 'entity/signer',
    authority: people,
    menu: 'signerEntity.title',
    isMinor: true,
    // `/signer/:id` is where people sign.
    also: { at: 'signer', paths: ['', 'new', ':id/edit', ':id/delete'] },
    load: () => import('./features/process-entities/signer.view.ts'),
  },
  {
    address: 'entity/signature',
    authority: people,
    menu: 'signatureEntity.title',
    isMinor: true,
    // `/signature` is the home page.
    also: { at: 'signature', paths: ['new', ':id', ':id/edit', ':id/delete'] },
    load: () => import('./features/process-entities/signature.view.ts'),
  },
  {
    address: 'entity/application-user',
    authority: people,
    menu: 'applicationUser.title',
    isMinor: true,
    also: { at: 'application-user', paths: allPaths },
    load: () => import('./features/process-entities/application-user.view.ts'),
  },
];

/** Whether somebody with these authorities sees a screen. */
export function mayOpen({ authority }: EntityScreen, held: readonly Authority[] = []): boolean {
  return [authority].flat().some((one) => held.includes(one));
}
