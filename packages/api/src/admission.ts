import type { Authority } from './authority.ts';
import type { Call } from './call.ts';

/** With what somebody comes to a call. */
export interface Caller {
  /** `over`: it ended, was revoked, or its account was deactivated. */
  readonly session: 'none' | 'live' | 'over';
  readonly authorities: readonly Authority[];
  /** What the account is in its company. */
  readonly company: 'none' | 'member' | 'admin';
  /** True for the holder of the signer's link that the call is about. */
  readonly link: boolean;
}

const nobody: Caller = { session: 'none', authorities: [], company: 'none', link: false };
const user: Caller = { ...nobody, session: 'live', authorities: ['ROLE_USER'] };

/** Everybody who may come, by name. Whose the rows are that a call is about is another question, and the use case's. */
export const callers = {
  anonymous: nobody,
  'signer link': { ...nobody, link: true },
  user,
  'company member': { ...user, company: 'member' },
  'company administrator': { ...user, company: 'admin' },
  'another company’s administrator': { ...user, company: 'admin' },
  'product administrator': { ...user, authorities: ['ROLE_ADMIN'] },
  deactivated: { ...user, session: 'over' },
  'expired session': { ...user, session: 'over' },
  'no authority': { ...user, authorities: [] },
} as const satisfies Record<string, Caller>;
export type CallerName = keyof typeof callers;

/** What the door of a call answers: lets in, asks to sign in, refuses for want of an authority or a role, or knows of nothing. */
export type Admission = 'in' | 401 | 403 | 404;

/** What is to be expected at a call's door, by what it declares. */
export function admissionOf({ access, company }: Pick<Call, 'access' | 'company'>, who: Caller): Admission {
  if (access === 'public') return 'in';
  if (typeof access === 'object' && 'link' in access) {
    if (who.link || access.or === 'anyone') return 'in';
    if (access.or === undefined) return 404;
    return admissionOf({ access: 'authenticated' }, who);
  }
  if (who.session !== 'live') return 401;
  if (access === 'session') return 'in';
  // An empty demand is met by any authority (section 6).
  const demanded = access === 'authenticated' ? [] : access;
  if (!who.authorities.some((one) => demanded.length === 0 || demanded.includes(one))) return 403;
  if (company === undefined) return 'in';
  if (who.company === 'none') return 404;
  return company === 'admin' && who.company !== 'admin' ? 403 : 'in';
}
