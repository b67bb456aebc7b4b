import type { Ctx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import type { LoadedProcess } from '../load-process.ts';
import * as store from '../processes.store.ts';
import { problemMail } from './process.mail.ts';

type Params = Readonly<Record<string, string | number>>;

/** Shows the owner why a process does not go on. `params` fill the sentence. */
export function noteProblem(ctx: Ctx, signatureProcessId: string, problem: string, params: Params = {}): Promise<void> {
  return store.setProblem(ctx, signatureProcessId, problem, params);
}

/** Shows the problem, and writes of it once. */
export async function tellProblem(ctx: Ctx, row: LoadedProcess['row'], problem: string, params: Params): Promise<void> {
  await ctx.transaction(async (tx) => {
    await store.setProblem(tx, row.id, problem, params);
    const owner = await store.findUser(tx, row.owner_id);
    if (row.problem === problem || !owner) return;
    const mail = problemMail(tx, owner.lang_key, { name: owner.first_name, title: row.title, problem, params });
    await queueMail(tx, owner.email, owner.lang_key, mail);
  });
}

/** How many processes in progress are stuck for this reason. */
export function countStuck(ctx: Ctx, problem: string): Promise<number> {
  return store.countStuck(ctx, problem);
}
