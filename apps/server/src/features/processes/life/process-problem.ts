import { type DomainError, draftEnd } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { findAccount } from '../../accounts/find-account.ts';
import type { SignatureProcess } from '../signature-process.ts';
import * as store from '../processes.store.ts';
import { problemMail, unsentMail } from './process.mail.ts';

type Params = Readonly<Record<string, string | number>>;

/** Shows the owner why a process does not go on. `params` fill the sentence. */
export function noteProblem(ctx: Ctx, signatureProcessId: string, problem: string, params: Params = {}): Promise<void> {
  return store.setProblem(ctx, signatureProcessId, problem, params);
}

/** Shows the problem, and writes of it once. */
export async function tellProblem(ctx: Ctx, signatureProcess: SignatureProcess, problem: string, params: Params): Promise<void> {
  await ctx.transaction(async (tx) => {
    await store.setProblem(tx, signatureProcess.id, problem, params);
    const owner = await findAccount(tx, signatureProcess.ownerId);
    if (signatureProcess.problem === problem || !owner) return;
    const mail = problemMail(tx, owner.langKey, {
      id: signatureProcess.id,
      name: owner.firstName,
      title: signatureProcess.title,
      problem,
      params,
    });
    await queueMail(tx, owner.email, owner.langKey, mail);
  });
}

/** Notes why a draft does not start by itself, and writes of it once for each reason, however many look at the same time. */
export async function tellUnsent(ctx: Ctx, draft: { id: string; touchedAt: Date }, { code, params }: DomainError): Promise<void> {
  await ctx.transaction(async (tx) => {
    const noted = await store.noteUnsent(tx, draft, code, params);
    const owner = noted && (await findAccount(tx, noted.ownerId));
    if (!owner) return;
    const mail = unsentMail(tx, owner.langKey, {
      id: draft.id,
      name: owner.firstName,
      title: noted.title,
      until: draftEnd(noted.createdAt),
      problem: code,
      params,
    });
    await queueMail(tx, owner.email, owner.langKey, mail);
  });
}

/** How many processes in progress are stuck for this reason. */
export function countStuck(ctx: Ctx, problem: string): Promise<number> {
  return store.countStuck(ctx, problem);
}
