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
  'session.opened',
  'session.ended',
  'session.locked',
  'session.reused',
  'password.asked',
  'password.reset',
  'password.changed',
  'download',
  'access',
  'record.created',
  'record.changed',
  'record.deleted',
] as const;
export type AuditKind = (typeof auditKinds)[number];
