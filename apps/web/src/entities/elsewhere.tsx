import { Navigate, type RouteObject, useLocation } from 'react-router';

/** The other addresses of an entity's screens: `at` and what stands below it is the same below `to`. */
export function sameAddresses(at: string, to: string, paths: readonly string[]): RouteObject[] {
  const element = <Elsewhere at={`/${at}`} to={`/${to}`} />;
  return paths.map((path) => ({ path: path === '' ? at : `${at}/${path}`, element }));
}

function Elsewhere({ at, to }: { at: string; to: string }) {
  const { pathname, search, state } = useLocation();
  return <Navigate to={`${to}${pathname.slice(at.length)}${search}`} state={state as unknown} replace />;
}
