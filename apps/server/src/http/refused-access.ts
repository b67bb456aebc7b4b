import type { Access, Call } from '@lavra/api';
import { DomainError, type DomainErrorCode } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import { recordRefusal } from '../audit/audit.store.ts';
import type { Ctx } from '../context.ts';
import { type Caller, isOpen } from './auth.ts';
import { requestFacts } from './request-facts.ts';

/** What is answered to whoever may not see or do something, be it there or not. */
const REFUSALS: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  'request.unauthorized',
  'request.forbidden',
  'permission.createProcess',
  'process.notFound',
  'document.notFound',
  'signer.notFound',
  'model.notFound',
]);

/** A link that leads nowhere is one refusal, whichever part of it is wrong: a process that exists is not told from none. */
function toldTo(access: Access, error: DomainError): DomainError {
  const isByLinkAlone = typeof access === 'object' && 'link' in access && (access.or === undefined || access.or === 'ownSession');
  return isByLinkAlone && error.code === 'process.notFound' ? new DomainError('signer.notFound') : error;
}

/**
 * Notes a refused access and answers the error to throw. On an open call a token whose time is over counted as nobody's:
 * its holder is asked for a fresh one before they are told that there is nothing.
 */
export async function refusedAccess(ctx: Ctx, request: FastifyRequest, call: Call, caller: Caller, error: unknown): Promise<unknown> {
  if (!(error instanceof DomainError) || !REFUSALS.has(error.code)) return error;
  if (caller.token === 'expired') return isOpen(call.access) ? new DomainError('request.unauthorized') : error;
  // Nobody in particular without a session: pages ask so to learn whether there is one.
  if (error.code === 'request.unauthorized' && caller.token !== 'foreign') return error;
  await recordRefusal(ctx, {
    kind: 'access',
    outcome: 'refused',
    reason: error.code,
    accountId: caller.person?.userId ?? null,
    subjectId: subjectOf(request),
    ip: requestFacts(request).ip,
  });
  return toldTo(call.access, error);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The process or document that was asked for; a signer's id is a key and stays out. */
function subjectOf(request: FastifyRequest): string | null {
  const { processId, documentId, id } = (request.params ?? {}) as Record<string, string | undefined>;
  const asked = documentId ?? processId ?? id ?? '';
  return UUID.test(asked) ? asked.toLowerCase() : null;
}
