import type { RouteObject } from 'react-router';
import { EntityDeletion } from './entity-deletion.tsx';
import { EntityDetail } from './entity-detail.tsx';
import { EntityForm } from './entity-form.tsx';
import { EntityList } from './entity-list.tsx';
import type { EntityView } from './entity-view.ts';

interface ViewModule {
  readonly view: EntityView;
}

/** The five addresses of an entity (section 2), and its form's own where the specification has one; the dialog that deletes stands over the list. */
export function entityAddresses(address: string, load: () => Promise<ViewModule>, formAddress?: string): RouteObject[] {
  const page = (Screen: (props: { view: EntityView }) => React.ReactNode) => async () => {
    const { view } = await load();
    return { Component: () => <Screen view={view} /> };
  };
  return [
    { path: address, lazy: page(EntityList), children: [{ path: ':id/delete', lazy: page(EntityDeletion) }] },
    { path: `${address}/new`, lazy: page(EntityForm) },
    { path: `${address}/:id`, lazy: page(EntityDetail) },
    { path: `${address}/:id/edit`, lazy: page(EntityForm) },
    ...(formAddress ? [{ path: formAddress, lazy: page(EntityForm) }] : []),
  ];
}
