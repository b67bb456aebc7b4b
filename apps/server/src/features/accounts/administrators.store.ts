import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** Administrators whose address was proven and whom nobody has shut out. */
export function listAdministrators(ctx: Ctx) {
  return ctx.db
    .selectFrom('app_user')
    .select(['email', 'first_name as firstName', 'lang_key as langKey'])
    .where('activated', '=', true)
    .where('deactivated_at', 'is', null)
    .where(sql<boolean>`'ROLE_ADMIN' = any (authorities)`)
    .execute();
}
