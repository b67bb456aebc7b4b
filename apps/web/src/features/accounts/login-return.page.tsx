import { isSingleSignOn } from '../../lib/single-sign-on.ts';
import { Component as NotFound } from '../../shell/not-found.page.tsx';
import { SingleSignOnReturn } from './single-sign-on-return.tsx';

/** Where a provider sends the browser back to. */
export function Component() {
  return isSingleSignOn() ? <SingleSignOnReturn /> : <NotFound />;
}
