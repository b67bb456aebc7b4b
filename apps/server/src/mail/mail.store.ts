import type { Ctx } from '../context.ts';
import type { RenderedMail } from './layout.ts';

export async function insertMail(tx: Ctx, mail: RenderedMail & { id: string; to: string }): Promise<void> {
  await tx.db
    .insertInto('mail')
    .values({
      id: mail.id,
      to_address: mail.to,
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      created_at: tx.clock.now(),
      error: null,
    })
    .execute();
}

export async function findUnsentMail(ctx: Ctx, id: string) {
  return ctx.db.selectFrom('mail').selectAll().where('id', '=', id).where('sent_at', 'is', null).executeTakeFirst();
}

export async function markMailSent(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.updateTable('mail').set({ sent_at: ctx.clock.now(), failed_at: null, error: null }).where('id', '=', id).execute();
}

export async function markMailFailed(ctx: Ctx, id: string, error: string): Promise<void> {
  await ctx.db
    .updateTable('mail')
    .set({ failed_at: ctx.clock.now(), error: error.slice(0, 500) })
    .where('id', '=', id)
    .execute();
}

/** Mails that nobody has delivered nor refused, queued before then. */
export async function listUndelivered(ctx: Ctx, before: Date) {
  return ctx.db
    .selectFrom('mail')
    .select(['id', 'created_at'])
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(1000)
    .execute();
}
