import type { Access, ByLink, Call, SignedIn } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { nobodysSigner, type Person, type SignerLink, type Visitor } from '../access/actor.ts';
import { findCaller } from '../access/callers.store.ts';
import { findLink, isLinkKey, type OpenedLink } from '../access/signer-links.store.ts';
import type { Ahead, ReadFirst } from '../access/first-reading.store.ts';
import { readToken } from '../access/token.ts';
import { requestFacts } from './request-facts.ts';

/**
 * Who asks, and what became of the Bearer token: `foreign` was not signed by us, `expired` was and may be refreshed,
 * `ended` belongs to a session that is over.
 */
export interface Caller {
  person: Person | null;
  token: 'none' | 'foreign' | 'expired' | 'ended' | 'good';
  /** What the key beside the token opens: asked together. */
  link?: { key: string; opened: OpenedLink | null };
  /** What the call reads first: asked with them. */
  first: ReadFirst | null;
}

/** True where no session is asked for: a missing token is nobody there, and a bad one is ignored. */
export function isOpen(access: Access): access is 'public' | ByLink {
  return access === 'public' || (typeof access === 'object' && 'link' in access);
}

/**
 * Refuses who may not make a call, before what was sent is looked at. Whoever comes with a link is let through to it.
 * @throws DomainError request.unauthorized, request.forbidden; company.none: the call is about the caller's company
 */
export function admit({ person }: Caller, { access, company }: Pick<Call, 'access' | 'company'>): void {
  if (isOpen(access)) return;
  if (!person) throw new DomainError('request.unauthorized');
  if (access !== 'session' && !holdsOne(person, access === 'authenticated' ? [] : access)) throw new DomainError('request.forbidden');
  if (company === undefined) return;
  if (person.company === null) throw new DomainError('company.none');
  if (company === 'admin' && person.company.role !== 'admin') throw new DomainError('request.forbidden');
}

/** Nobody in particular, at the address that asks. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { kind: 'visitor', from: requestFacts(request) };
}

/** What was sent, by the place that a link may stand in. */
export type Sent = Readonly<Record<'params' | 'query' | 'body', unknown>>;

/**
 * Who acts in a call that admitted them: a link before a session, because whoever shows one acts as its signer.
 * @throws DomainError request.unauthorized, request.forbidden; signer.notFound without the link that the call needs; what `signerLinkOf` refuses
 */
export async function actorOf(
  ctx: Ctx,
  { person, link }: Caller,
  request: FastifyRequest,
  access: Access,
  sent: Sent,
): Promise<Person | SignerLink | Visitor> {
  if (access === 'public') return visitorOf(request);
  const from = requestFacts(request);
  if (isOpen(access)) {
    const key = keyIn(sent, access);
    const opened = link?.key === key ? link?.opened : undefined;
    if (typeof key === 'string') return signerLinkOf(ctx, { key, signedInAs: person?.userId ?? null, from }, access, opened);
    if (access.or === undefined) throw new DomainError('signer.notFound');
    if (access.or === 'anyone') return visitorOf(request);
  }
  if (!person) throw new DomainError('request.unauthorized');
  // Of the calls that a link opens too: in its place stands an account that may do something here.
  if (isOpen(access) && !holdsOne(person, [])) throw new DomainError('request.forbidden');
  return person;
}

/** Where a call has the key of a link. */
function keyIn(sent: Sent, { link }: ByLink): unknown {
  const [place, field] = link.split('.') as [keyof Sent, string];
  return (sent[place] as Record<string, unknown> | null | undefined)?.[field];
}

/**
 * Whom a link's key was made for. An unknown key is nobody's: the use case finds no such signer.
 * @throws DomainError signer.linkReplaced; signer.codeRequired: handed over by the sender, and the code not given yet
 */
async function signerLinkOf(
  ctx: Ctx,
  holder: Pick<SignerLink, 'key' | 'signedInAs' | 'from'>,
  { beforeCode }: ByLink,
  opened: OpenedLink | null | undefined,
): Promise<SignerLink> {
  const link = opened === undefined ? await findLink(ctx, holder.key) : opened;
  if (link?.isEnded) throw new DomainError('signer.linkReplaced');
  if (link?.channel === 'handedOver' && !beforeCode) throw new DomainError('signer.codeRequired');
  return { kind: 'signerLink', ...holder, signerId: link?.signerId ?? nobodysSigner, channel: link?.channel ?? 'handedOver' };
}

/** The request's Bearer token; null without one. The scheme is in letters of any size (RFC 9110 §11.1). */
export function bearerToken(request: FastifyRequest): string | null {
  const [scheme = '', token, rest] = (request.headers.authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' && token && rest === undefined ? token : null;
}

/** `access`: of the call, whose link is looked up with the session; `ahead`: what it reads first, with both. */
export async function callerOf(ctx: Ctx, request: FastifyRequest, access: Access = 'session', ahead?: Ahead): Promise<Caller> {
  const given = bearerToken(request);
  const claims = given === null ? null : await readToken(ctx, given);
  const session = claims && !claims.expired ? { id: claims.sid, userId: claims.sub } : null;
  const asked = isOpen(access) && access !== 'public' ? keyIn(request, access) : undefined;
  const key = isLinkKey(asked) ? asked : null;
  const unused = given === null ? 'none' : claims ? 'expired' : 'foreign';
  if (!session && key === null) return { person: null, token: unused, first: null };
  const first = ahead?.askedBy({ ctx, userId: session?.userId ?? null, isByLink: key !== null, sent: request }) ?? null;
  const found = await findCaller(ctx, { session, key, first });
  return {
    person: found.owner && { ...found.owner, from: requestFacts(request) },
    token: session === null ? unused : found.owner ? 'good' : 'ended',
    ...(key !== null && { link: { key, opened: found.link } }),
    first: found.first,
  };
}

/** An empty demand is met by any authority (section 6). */
function holdsOne(person: Person, demanded: Exclude<SignedIn, string>): boolean {
  return person.authorities.some((authority) => demanded.length === 0 || demanded.includes(authority));
}
