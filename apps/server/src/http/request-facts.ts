import { markInvisible } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { RequestFacts } from '../access/actor.ts';
import { canonicalAddress } from '../access/client-address.ts';

/** `request.ip` is Fastify's reading behind the configured number of trusted proxies. */
export function requestFacts(request: FastifyRequest): RequestFacts {
  return {
    ip: canonicalAddress(request.ip),
    userAgent: markInvisible((request.headers['user-agent'] ?? '').slice(0, 400)),
    langKey: preferredLocale(request.headers['accept-language']),
  };
}

/** First of the product's languages in Accept-Language; Portuguese otherwise. */
export function preferredLocale(header: string | undefined): 'pt-br' | 'en' | 'es' {
  for (const entry of (header ?? '').toLowerCase().split(',')) {
    const tag = entry.trim();
    if (tag.startsWith('pt')) return 'pt-br';
    if (tag.startsWith('en')) return 'en';
    if (tag.startsWith('es')) return 'es';
  }
  return 'pt-br';
}
