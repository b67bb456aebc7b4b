import type { Authority } from '@lavra/api';

/** Who is signed in, from a verified session. */
export interface Actor {
  userId: string;
  sessionId: string;
  email: string;
  firstName: string;
  authorities: readonly Authority[];
  langKey: 'pt-br' | 'en' | 'es';
}

/** Facts of the request that belong into the evidence. */
export interface RequestFacts {
  /** The client's address as seen behind the configured number of trusted proxies. */
  ip: string;
  userAgent: string;
  /** From Accept-Language; what an error is told in when nobody is signed in. */
  langKey: 'pt-br' | 'en' | 'es';
}
