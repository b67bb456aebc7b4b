import { LAVRA_SIGNER, type findCertificates as call, type Reply } from '@lavra/api';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import type { FoundCertificates } from '@lavra/psc';
import { type AskedFor, assertMayAsk } from './assert-may-ask.ts';

const nobody: FoundCertificates = { availablePscs: [], unanswered: [] };

/**
 * At which providers the signer has a certificate, and the company that they were registered to represent. LAVRA_SIGNER stands last and
 * always: nobody can be asked for it.
 */
export async function findCertificates(ctx: Ctx, actor: SignerLink, asked: AskedFor): Promise<Reply<typeof call>> {
  const { cpf, admitted } = await assertMayAsk(ctx, actor, asked);
  const { cnpj } = admitted.signer;
  const [own, company] = await Promise.all([ctx.psc.findCertificates(cpf), cnpj === null ? nobody : ctx.psc.findCertificates(cnpj)]);
  const unanswered = [...own.unanswered, ...company.unanswered];
  for (const { psc, code } of unanswered) ctx.log.warn({ psc, code }, 'a certificate provider did not answer the search for certificates');
  return {
    availablePscs: [...own.availablePscs.map(({ psc }) => psc), LAVRA_SIGNER],
    companyPscs: company.availablePscs.map(({ psc }) => psc),
    unanswered: [...new Set(unanswered.map(({ psc }) => psc))],
  };
}
