import type { Reply, sendTestMail as call } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import { placeOf } from '../../config-shown.ts';
import type { Ctx } from '../../context.ts';
import { deliverNow } from '../../mail/deliver.ts';
import { renderMail } from '../../mail/layout.ts';
import { testMail } from './administration.mail.ts';

/** Sends a mail to the administrator who asks, past the queue, and tells at once whether the server took it, or why not. */
export async function sendTestMail(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  const began = performance.now();
  const words = renderMail(testMail(ctx, actor.langKey, actor.firstName), actor.langKey, ctx);
  const fault = await deliverNow(ctx, actor.email, words);
  await recordAudit(ctx, {
    kind: 'installation.checked',
    outcome: fault === null ? 'success' : 'failure',
    ...(fault === null ? {} : { reason: fault.reason }),
    accountId: actor.userId,
    subjectId: 'mail',
    ip: actor.from.ip,
  });
  return {
    isAccepted: fault === null,
    to: actor.email,
    server: ctx.config.smtpUrl && placeOf(ctx.config.smtpUrl),
    reason: fault?.reason ?? null,
    status: fault?.status ?? null,
    ms: Math.round(performance.now() - began),
  };
}
