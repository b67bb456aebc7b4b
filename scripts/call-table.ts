import { admissionOf, type Access, callers, type Call, type RateLimit, type LimitName, rateLimits } from '../packages/api/src/index.ts';
import { everyCall } from '../apps/server/src/http/openapi/every-call.ts';

function whoMay(access: Access): string {
  if (access === 'public') return 'anyone';
  if (access === 'session') return 'signed in';
  if (access === 'authenticated') return 'signed in, with an authority';
  if (!('link' in access)) return access.join(' or ');
  const otherwise = { session: ', or signed in with an authority', ownSession: ', or signed in as that signer', anyone: ', or anyone' };
  return `signer’s link in \`${access.link}\`${access.or ? otherwise[access.or] : ''}`;
}

function window(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? 'a day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
  return `${seconds / 60} min`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function callRow(name: string, { method, path, access, company, limits, idempotent, ownAccounts }: Call): string {
  const counted = (limits ?? []).map((limit) => `\`${limit}\``).join(', ');
  const who = ownAccounts ? `${whoMay(access)}; nobody in single sign-on mode` : whoMay(access);
  return row(`\`${name}\``, `${method} \`${path}\``, who, company ?? '', counted, idempotent ? 'yes' : '');
}

function limitRow(name: string, { by, most, seconds, at }: RateLimit): string {
  return row(`\`${name}\``, by, String(most), window(seconds), at === 'door' ? 'the door (`http/route.ts`)' : 'the use case');
}

/** `docs/roles.md`: what everybody meets at the door of every call. */
export function roleTable(): string {
  const names = Object.entries(callers);
  const rows = [...everyCall]
    .toSorted(([, a], [, b]) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
    .map(([name, call]) => row(`\`${name}\``, ...names.map(([, who]) => String(admissionOf(call, who)))));
  return `# Every call, everybody

Printed from \`packages/api\` (\`admissionOf\`) by \`npm run calls\`; a test compares, and \`apps/server/src/http/other-tenants.test.ts\` makes
every call as everybody. \`in\`: let in at the door; on whose rows they act then, the use case says, and the rows of others are not
found. 401: they are asked to sign in; 403: they lack the authority or the role; 404: they have no link, or no company. A session that
ended, was revoked, or whose account was deactivated is none.

${row('Call', ...names.map(([name]) => name))}
${row('---', ...names.map(() => '---'))}
${rows.join('\n')}
`;
}

/** `docs/calls.md`: what `packages/api` declares. */
export function callTable(): string {
  const calls = [...everyCall].toSorted(([, a], [, b]) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
  const limits = Object.entries(rateLimits) as [LimitName, RateLimit][];
  return `# Every call

Printed from \`packages/api\` by \`npm run calls\`; a test compares. On whose rows a caller acts, the use case says: the rows of others
are not found (404), and \`apps/server/src/http/other-tenants.test.ts\` makes every call as everybody else. A signer’s link is the process’s and the signer’s id; where a call has only the latter, it is enough.

${row('Call', 'Address', 'Who', 'Role in the company', 'Limits', 'Acts once for an Idempotency-Key')}
${row('---', '---', '---', '---', '---', '---')}
${calls.map(([name, call]) => callRow(name, call)).join('\n')}

## Limits

${row('Name', 'Counts by', 'Most', 'In', 'Counted by')}
${row('---', '---', '---', '---', '---')}
${limits.map(([name, limit]) => limitRow(name, limit)).join('\n')}

Past its limit a call answers \`request.tooMany\` (429); failures of sign-in, \`account.locked\`. What is bounded by what the account
has, and not by how often it asks, is not in this table: megabytes (\`document.dailyLimitReached\`, \`document.accountLimitReached\`),
people called within an hour (\`process.tooManyInvitations\`).
`;
}
