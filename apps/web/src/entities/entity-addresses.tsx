import type { RouteObject } from 'react-router';
import type { EntityView } from './entity-view.ts';

interface ViewModule {
  readonly view: EntityView;
}

type Screen = (props: { view: EntityView }) => React.ReactNode;

/** Loaded with the first record that is looked at: forms and tables weigh on no other page. */
const screens = {
  list: async (): Promise<Screen> => (await import('./entity-list.tsx')).EntityList,
  detail: async (): Promise<Screen> => (await import('./entity-detail.tsx')).EntityDetail,
  form: async (): Promise<Screen> => (await import('./entity-form.tsx')).EntityForm,
  deletion: async (): Promise<Screen> => (await import('./entity-deletion.tsx')).EntityDeletion,
};

/** The five addresses of an entity (section 2), and its form's own where the specification has one; the dialog that deletes stands over the list. */
export function entityAddresses(address: string, load: () => Promise<ViewModule>, formAddress?: string): RouteObject[] {
  const page = (screen: () => Promise<Screen>) => async () => {
    const [{ view }, Screen] = await Promise.all([load(), screen()]);
    return { Component: () => <Screen view={view} /> };
  };
  return [
    { path: address, lazy: page(screens.list), children: [{ path: ':id/delete', lazy: page(screens.deletion) }] },
    { path: `${address}/new`, lazy: page(screens.form) },
    { path: `${address}/:id`, lazy: page(screens.detail) },
    { path: `${address}/:id/edit`, lazy: page(screens.form) },
    ...(formAddress ? [{ path: formAddress, lazy: page(screens.form) }] : []),
  ];
}
