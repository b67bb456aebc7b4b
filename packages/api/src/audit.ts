import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** What the security log knows; docs/decisions/017 says what each means, and the locales have `audit.kind.<kind>`. */
export const auditKinds = [
  'account.registered',
  'account.activated',
  'account.changed',
  'account.role',
  'account.invited',
  'account.deactivated',
  'account.reactivated',
  'account.firstKey',
  'account.linked',
  'account.unlinked',
  'account.removed',
  'account.exported',
  'account.erased',
  'person.exported',
  'person.erased',
  'email.asked',
  'email.changed',
  'session.opened',
  'session.ended',
  'session.locked',
  'session.reused',
  'password.asked',
  'password.reset',
  'password.changed',
  'factor.added',
  'factor.removed',
  'factor.used',
  'factor.refused',
  'factor.reset',
  'factor.policy',
  'clock.accepted',
  'download',
  'access',
  'company.invited',
  'company.joined',
  'company.role',
  'company.left',
  'contract.recounted',
  'record.created',
  'record.changed',
  'record.deleted',
  'installation.logger',
  'installation.retried',
  'installation.trust',
  'installation.checked',
] as const;
export type AuditKind = (typeof auditKinds)[number];

export const auditOutcomes = ['success', 'failure', 'refused'] as const;

/** As many of the newest that fit as are listed; older ones are found by a narrower period. */
export const auditListMost = 10_000;

const account = z.object({ id: z.string(), email: z.string(), name: z.string() });

export const auditEvent = z.object({
  id: z.int(),
  at: z.string(),
  /** One of `auditKinds`, or what another version wrote. */
  kind: z.string(),
  outcome: z.enum(auditOutcomes),
  /** A code, or a word of the kind. */
  reason: z.nullable(z.string()),
  /** Who did it; null: nobody who was signed in, or somebody whose account is gone (then `accountId` is there still). */
  account: z.nullable(account),
  accountId: z.nullable(z.string()),
  /** Process, document, session, account or an entity's record; the account, where it is one. */
  subject: z.nullable(z.string()),
  subjectAccount: z.nullable(account),
  /** A pseudonym of the client's network that changes every day. */
  source: z.nullable(z.string()),
  /** Of a change: the fields, before and after. */
  details: z.nullable(z.record(z.string(), z.unknown())),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** The security log, newest first. X-Total-Count is exact to `auditListMost`. */
export const listAuditEvents = defineCall({
  method: 'GET',
  path: 'api/admin/audit-events',
  access: ['ROLE_ADMIN'],
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lt(auditListMost))),
    size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
    /** A person by name or e-mail, what they did and what was done to them; or the id of a process, document, session or account. */
    query: z.optional(z.string().check(z.maxLength(200))),
    kind: z.optional(z.enum(auditKinds)),
    outcome: z.optional(z.enum(auditOutcomes)),
    /** Instants: from this one, and before that. */
    from: z.optional(z.iso.datetime({ offset: true })),
    to: z.optional(z.iso.datetime({ offset: true })),
  }),
  kind: 'list',
  reply: z.object({ items: z.array(auditEvent), total: z.number() }),
});
