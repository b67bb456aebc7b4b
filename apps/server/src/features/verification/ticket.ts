import type { Ctx } from '../../context.ts';

const LIFETIME_MS = 10 * 60_000;
// The last letter of the MAC has bits that no byte needs: one ticket, one spelling.
const SHAPE = /^(\d{13})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/** Opens the verification of one document for ten minutes; signed, nothing is stored. */
export function issueTicket(ctx: Ctx, documentId: string): string {
  const end = ctx.clock.now().getTime() + LIFETIME_MS;
  return `${end}.${ctx.secrets.sign('verification-ticket', `${documentId}.${end}`).toString('base64url')}`;
}

/** `over`: one of ours, whose ten minutes have passed. */
export function judgeTicket(ctx: Ctx, documentId: string, ticket: string): 'good' | 'over' | 'bad' {
  const [, end = '', mac = ''] = SHAPE.exec(ticket) ?? [];
  if (end === '' || !ctx.secrets.verify('verification-ticket', `${documentId}.${end}`, Buffer.from(mac, 'base64url'))) return 'bad';
  return Number(end) < ctx.clock.now().getTime() ? 'over' : 'good';
}
