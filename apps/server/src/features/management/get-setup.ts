import type { getSetup as call, Reply, Setup } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { listEvents } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { listAdministrators } from '../accounts/list-administrators.ts';
import { getSecondFactorPolicy } from '../accounts/second-factor/get-second-factor-policy.ts';

type State = Setup[number]['state'];

/** What an administrator has set up and what is left, as it is now: nothing is ticked off by hand. */
export async function getSetup(ctx: Ctx, actor: Person): Promise<Reply<typeof call>> {
  const { timestamps, icpBrasil, config } = ctx;
  const advised = (isDone: boolean): State => (isDone ? 'done' : 'advised');
  return [
    { name: 'address', state: addressState(ctx) },
    { name: 'mail', state: (await isMailTried(ctx)) ? 'done' : 'open' },
    ...(config.sso === null ? await ofPeople(ctx, actor, advised) : []),
    { name: 'icpBrasil', state: advised(icpBrasil.anchors.length > 0) },
    { name: 'timestamps', state: advised(timestamps !== null) },
  ];
}

/** The address stands in every mail and on every signed page, for years. */
function addressState({ config, publicUrl }: Ctx): State {
  if (publicUrl.startsWith('https://')) return 'done';
  return config.profile === 'prod' ? 'open' : 'advised';
}

/** A server that is named need not take anything: one of its mails was accepted. */
async function isMailTried(ctx: Ctx): Promise<boolean> {
  if (ctx.config.smtpUrl === null) return false;
  const asked = { kind: 'installation.checked', outcome: 'success', about: { accountIds: [], subjects: ['mail'] } } as const;
  return (await listEvents(ctx, asked, { limit: 1, offset: 0 })).length > 0;
}

async function ofPeople(ctx: Ctx, actor: Person, advised: (isDone: boolean) => State): Promise<Setup> {
  const [administrators, { requiredOf }] = await Promise.all([listAdministrators(ctx), getSecondFactorPolicy(ctx, actor)]);
  return [
    { name: 'administrator', state: advised(administrators.length > 1) },
    { name: 'secondFactor', state: advised(requiredOf !== 'nobody') },
  ];
}
