import { Navigate, Outlet } from 'react-router';
import { isSingleSignOn } from '../lib/single-sign-on.ts';

/** Pages of accounts and passwords of our own: in single sign-on mode the provider has those. */
export function RequireOwnAccounts() {
  return isSingleSignOn() ? <Navigate to="/signature" replace /> : <Outlet />;
}
