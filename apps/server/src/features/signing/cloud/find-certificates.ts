import { LAVRA_SIGNER, type findCertificates as call, type Reply } from '@lavra/api';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { type AskedFor, assertMayAsk } from './assert-may-ask.ts';

/** At which providers the signer has a certificate. LAVRA_SIGNER stands last and always: nobody can be asked for it. */
export async function findCertificates(ctx: Ctx, actor: SignerLink, asked: AskedFor): Promise<Reply<typeof call>> {
  const { cpf } = await assertMayAsk(ctx, actor, asked);
  const { availablePscs, unanswered } = await ctx.psc.findCertificates(cpf);
  for (const { psc, code } of unanswered) ctx.log.warn({ psc, code }, 'a certificate provider did not answer the search for certificates');
  return {
    availablePscs: [...availablePscs.map(({ psc }) => psc), LAVRA_SIGNER],
    unanswered: unanswered.map(({ psc }) => psc),
  };
}
