import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { keptStatement } from '../db/kept-statement.ts';
import type { Person } from './actor.ts';
import { type AnyReading, type AskedFirst, columnsOf, ReadFirst } from './first-reading.store.ts';
import { type OpenedLink, selectLink } from './signer-links.store.ts';

export type SessionOwner = Omit<Person, 'from'>;

/** What somebody comes with. */
interface Shown {
  session: { id: string; userId: string } | null;
  /** Of a signer's link. */
  key: string | null;
  first: AskedFirst | null;
}

interface Found {
  /** Whose session it is, if it has neither ended nor been revoked and the account is active. */
  owner: SessionOwner | null;
  /** What the key opens. */
  link: OpenedLink | null;
  first: ReadFirst | null;
}

/** Who makes a call, and what it reads first: in one statement. */
export async function findCaller(ctx: Ctx, { session, key, first }: Shown): Promise<Found> {
  const asked = {
    ...first?.values,
    ...(key !== null && { key }),
    ...(session && {
      sessionId: session.id,
      sessionUserId: session.userId,
      singleSignOn: ctx.config.sso !== null,
      now: ctx.clock.now(),
    }),
  };
  const [row] = await statementOf(session !== null, key !== null, first?.reading ?? null)(ctx.db, asked);
  if (!row) throw new Error('a row of one was not answered');
  const { [OWNER]: owner, [LINK]: link, [IS_READ]: isRead, ...read } = row;
  return {
    owner: session && owner ? ownerOf(owner, session.id) : null,
    link: link ? { signerId: link.signerId, channel: link.channel, isEnded: link.endedAt !== null } : null,
    // For nobody it was read in vain.
    first: first && (owner || link) ? new ReadFirst(first, isRead ? read : null) : null,
  };
}

/** As no reading has a column. */
const [OWNER, LINK, IS_READ] = ['the owner', 'the link', 'is read'] as const;

interface OwnerJson {
  id: string;
  email: string;
  first_name: string;
  authorities: Person['authorities'];
  lang_key: Person['langKey'];
  company_id: string | null;
  company_role: NonNullable<Person['company']>['role'] | null;
  max_doc_size: number | null;
}

interface CallerRow {
  [OWNER]?: OwnerJson | null;
  [LINK]?: { signerId: string; channel: OpenedLink['channel']; endedAt: string | null } | null;
  [IS_READ]?: boolean | null;
}

interface Values {
  sessionId: string;
  sessionUserId: string;
  singleSignOn: boolean;
  now: Date;
  key: string;
}

type Statement = (db: Ctx['db'], values: object) => Promise<CallerRow[]>;

const nothing = {};
/** By what is read first, and what is shown. */
const statements = new WeakMap<object, Map<string, Statement>>();

function statementOf(withSession: boolean, withLink: boolean, reading: AnyReading | null): Statement {
  const known = statements.get(reading ?? nothing) ?? new Map<string, Statement>();
  statements.set(reading ?? nothing, known);
  const shown = `${withSession} ${withLink}`;
  const statement = known.get(shown) ?? selectCaller(withSession, withLink, reading);
  known.set(shown, statement);
  return statement;
}

function selectCaller(withSession: boolean, withLink: boolean, reading: AnyReading | null): Statement {
  return keptStatement((db, values: object) => {
    const given = values as Values;
    const told: RawBuilder<unknown>[] = [];
    if (withSession) told.push(sql`(select to_jsonb(o) from ${selectOwner(db, given)} as o) as ${sql.id(OWNER)}`);
    if (withLink) told.push(sql`(select to_jsonb(l) from ${selectLink(db, given)} as l) as ${sql.id(LINK)}`);
    const read = reading?.select(db, given as never).select(sql<boolean>`true`.as(IS_READ));
    if (read) told.push(...columnsOf(read).map((column) => sql`read.${sql.id(column)}`));
    const from = read ? sql`(select 1) as one left join ${read} as read on true` : sql`(select 1) as one`;
    return { compile: () => sql<CallerRow>`select ${sql.join(told)} from ${from}`.compile(db) };
  });
}

function selectOwner(db: Ctx['db'], given: Values) {
  return db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .leftJoin('company_member', 'company_member.user_id', 'app_user.id')
    .leftJoin('company', 'company.id', 'company_member.company_id')
    .select(['app_user.id', 'app_user.email', 'app_user.first_name', 'app_user.authorities', 'app_user.lang_key'])
    .select(['company.id as company_id', 'company_member.role as company_role', 'company.max_doc_size'])
    .where('session.id', '=', given.sessionId)
    .where('session.user_id', '=', given.sessionUserId)
    .where('session.revoked_at', 'is', null)
    .where('session.single_sign_on', '=', given.singleSignOn)
    .where('session.expires_at', '>', given.now)
    .where('app_user.activated', '=', true);
}

function ownerOf(row: OwnerJson, sessionId: string): SessionOwner {
  return {
    kind: 'person',
    userId: row.id,
    sessionId,
    email: row.email,
    firstName: row.first_name,
    authorities: row.authorities,
    langKey: row.lang_key,
    company:
      row.company_id === null || row.company_role === null
        ? null
        : { id: row.company_id, role: row.company_role, maxDocSize: row.max_doc_size },
  };
}
