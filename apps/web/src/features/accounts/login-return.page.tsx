import { isSingleSignOn } from '../../lib/single-sign-on.ts';
import { SingleSignOnReturn } from './single-sign-on-return.tsx';
import { SocialReturn } from './social/social-return.tsx';

/** Where a provider sends the browser back to. */
export function Component() {
  return isSingleSignOn() ? <SingleSignOnReturn /> : <SocialReturn />;
}
