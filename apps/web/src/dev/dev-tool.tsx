import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { watchDevToolKey } from './dev-tool-key.ts';

/** Listens for the key of the tool of development. */
export function DevTool() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => watchDevToolKey(window, { pathname, navigate }), [pathname, navigate]);
  return null;
}
