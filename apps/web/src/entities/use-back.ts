import { useLocation } from 'react-router';
import type { EntityView } from './entity-view.ts';

/** The list as it stood when one came from it: its page and sort. */
export function useBack(view: EntityView): string {
  const { state } = useLocation();
  return `${view.address}${(state as { list?: string } | null)?.list ?? ''}`;
}
