import type { Authority } from '@lavra/api';
import type { CompanyRole } from '@lavra/domain';

/**
 * Who acts. First in every use case, after the context; what may be done follows from its kind, never from a further parameter.
 * docs/decisions/033 says why each is one.
 */
export type Actor = Person | SignerLink | Visitor | System;

/** Who is signed in, from a verified session. */
export interface Person {
  readonly kind: 'person';
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly firstName: string;
  readonly authorities: readonly Authority[];
  readonly langKey: 'pt-br' | 'en' | 'es';
  /** The company they belong to, and what they are in it; null: none. */
  readonly company: { readonly id: string; readonly role: CompanyRole; readonly maxDocSize: number | null } | null;
  readonly from: RequestFacts;
}

/**
 * Whoever holds a signer's link: the signer's id in it is the key (a capability). What the link claims is looked up where it is
 * used, together with the process that it acts on.
 */
export interface SignerLink {
  readonly kind: 'signerLink';
  readonly signerId: string;
  /** The account that is signed in where the link was opened. It is noted, and allows nothing. */
  readonly signedInAs: string | null;
  readonly from: RequestFacts;
}

/** Nobody in particular. */
export interface Visitor {
  readonly kind: 'visitor';
  readonly from: RequestFacts;
}

/** The installation itself: jobs, sweeps, commands. It comes from nowhere. */
export interface System {
  readonly kind: 'system';
}

export const system: System = { kind: 'system' };

/** From where somebody acts; facts that belong into the evidence. */
export interface RequestFacts {
  /** The client's address as seen behind the configured number of trusted proxies. */
  readonly ip: string;
  readonly userAgent: string;
  /** From Accept-Language; what an error is told in when nobody is signed in. */
  readonly langKey: 'pt-br' | 'en' | 'es';
}
