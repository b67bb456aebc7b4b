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

/** How a link came to its holder: by our mail, through the sender, or through the sender with a code by our mail. */
export type LinkChannel = 'mailed' | 'handedOver' | 'confirmed';

/** The signer that no process has. */
export const nobodysSigner = '00000000-0000-0000-0000-000000000000';

/**
 * Whoever holds a signer's link: the key in it is a capability. Which signer it opens is looked up at the door; what that signer may
 * do, where it is used, together with the process that it acts on.
 */
export interface SignerLink {
  readonly kind: 'signerLink';
  /** What stands in the link. */
  readonly key: string;
  /** Whom it was made for; `nobodysSigner` where no link has such a key. */
  readonly signerId: string;
  readonly channel: LinkChannel;
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
