import * as api from '@lavra/api';
import { sql } from 'kysely';
import { expireProcessesJob } from '../../features/processes/life/expire-processes.job.ts';
import { sendRemindersJob } from '../../features/processes/life/send-reminders.job.ts';
import { sweepDraftsJob } from '../../features/processes/creation/sweep-drafts.job.ts';
import { foldCountsJob } from '../../features/processes/reading/fold-counts.job.ts';
import { removeFiles } from '../../features/retention/remove-files.ts';
import { system } from '../../access/actor.ts';
import { signIn, type TestAccount } from '../accounts.ts';
import type { CallAnswer, TestApp } from '../app.ts';
import { createDraft, samplePdf, sendElectronically, type SignerInput, soon } from '../processes.ts';
import type { Random } from '../year/random.ts';

const HOUR_MS = 3_600_000;

const titles = ['Contrato 2', 'contrato 10', 'Ação', 'acao', 'Édito de venda', 'Zebra 7', 'Locação', 'Contrato 1'];
const names = ['Íris Nuñez', 'Bia Lima', 'João Café', 'Zé da Silva', 'Ana Ávila'];
const files = ['locação.pdf', 'Anexo A.pdf', 'balanço 2026.pdf', 'contrato.pdf'];

/** Who acts, and on what. */
export interface Stage {
  app: TestApp;
  random: Random;
  /** Everybody who can sign in; more join while it is played. */
  accounts: TestAccount[];
  /** Of those who are invited; not all of them have an account. */
  emails: readonly string[];
  /** In the order in which they were begun; some are removed again. */
  processes: { id: string; owner: TestAccount }[];
  pdf: Buffer;
  /** Acts that were done, by their kind. */
  done: Map<string, number>;
  /** What nobody should have been answered. */
  wrong: string[];
}

export async function stageOf(
  app: TestApp,
  random: Random,
  accounts: readonly TestAccount[],
  strangers: readonly string[],
): Promise<Stage> {
  const emails = [...accounts.map(({ email }) => email), ...strangers];
  return { app, random, accounts: [...accounts], emails, processes: [], pdf: await samplePdf(1), done: new Map(), wrong: [] };
}

/** A process as somebody sees it before they act; others may be faster. */
interface Seen {
  id: string;
  owner: TestAccount;
  status: string;
  signers: { id: string; email: string; status: string }[];
  stakeholders: string[];
}

type Act = (stage: Stage, seen: Seen) => Promise<unknown>;
type Acts = readonly (readonly [kind: string, weight: number, act: Act])[];

const ofDrafts: Acts = [
  ['start', 4, ({ app }, { id, owner }) => app.call(api.startSignatureProcess, { token: owner.token, params: { id } })],
  ['change a draft', 3, changeDraft],
  ['add a signer', 3, addSigner],
  ['change a signer', 3, changeSigner],
  [
    'remove a signer',
    2,
    ({ app, random }, { owner, signers }) =>
      removeOf(
        app,
        api.signers,
        owner,
        random,
        signers.map(({ id }) => id),
      ),
  ],
  ['add a stakeholder', 1, addStakeholder],
  ['remove a stakeholder', 1, ({ app, random }, { owner, stakeholders }) => removeOf(app, api.stakeholders, owner, random, stakeholders)],
  ['remove a draft', 1, ({ app }, { id, owner }) => app.call(api.signatureProcesses.remove, { token: owner.token, params: { id } })],
  ['cancel a draft', 0.3, cancel],
];

const underWay: Acts = [
  ['open', 5, bySigner((app, signerId) => app.call(api.registerOpened, { params: { signerId } }))],
  ['sign', 9, bySigner((app, signerId, { id }) => sendElectronically(app, id, signerId))],
  [
    'reject',
    1,
    bySigner((app, signerId, { id }) =>
      app.call(api.createSignatureRejected, { body: { processId: id, signerId, rejectCause: 'Valor errado.' } }),
    ),
  ],
  ['cancel', 1, cancel],
  [
    'tell again',
    2,
    bySigner((app, signerId, { id, owner }, random) =>
      app.call(api.tellSignerAgain, {
        token: owner.token,
        params: { id, signerId },
        body: { as: random.chance(0.5) ? 'invitation' : 'reminder' },
      }),
    ),
  ],
  ['correct', 3, correct],
  ['correct the name of an account’s signer who waits', 1, correctWhoWaits],
  ['sign by an account while others are waited for', 1, signBeforeOthers],
  [
    'hand out a link',
    2,
    bySigner((app, signerId, { id, owner }) =>
      app.call(api.getCurrentLinkSignature, { token: owner.token, params: { processId: id }, query: { signerId } }),
    ),
  ],
  ['take an own link', 2, takeOwnLink],
  ['change what is sent', 1, changeDraft],
  ['start twice', 1, ({ app }, { id, owner }) => app.call(api.startSignatureProcess, { token: owner.token, params: { id } })],
];

const ofEnded: Acts = [
  ['remove files', 3, ({ app }, { id }) => removeFiles(app.ctx, system, { signatureProcessId: id, reason: 'erasure' })],
  ['open what has ended', 1, bySigner((app, signerId) => app.call(api.registerOpened, { params: { signerId } }))],
  ['sign what has ended', 1, bySigner((app, signerId, { id }) => sendElectronically(app, id, signerId))],
  ['cancel what has ended', 1, cancel],
];

/** Which are refused by intent: everything else that was played shall have been done at least once. */
export const neverDone: ReadonlySet<string> = new Set([
  'cancel a draft',
  'change what is sent',
  'sign what has ended',
  'cancel what has ended',
]);
export const kindsOfActs: readonly string[] = [...ofDrafts, ...underWay, ...ofEnded].map(([kind]) => kind);

/** One act of anybody, or several at the same moment on one process. */
export async function actOnce(stage: Stage, atOnce: number): Promise<void> {
  const { app, random, processes } = stage;
  const kind = random.next();
  if (processes.length < 3 || kind < 0.13) return noted(stage, 'begin', () => begin(stage));
  if (kind < 0.18) return byTheClock(stage);
  if (kind < 0.21) return settle(stage);
  // The latest mostly, so that each lives through much, and what has ended seldom.
  const anyOne = () => seenOf(app, random.pick(random.chance(0.85) ? processes.slice(-6) : processes));
  let seen = await anyOne();
  for (let tries = 0; tries < 2 && (!seen || (seen.status !== 'DRAFT' && seen.status !== 'IN_PROGRESS')); tries += 1) seen = await anyOne();
  if (!seen) return;
  const of = seen.status === 'DRAFT' ? ofDrafts : seen.status === 'IN_PROGRESS' ? underWay : ofEnded;
  const acts = Array.from({ length: atOnce }, () => weighted(stage, of));
  await Promise.all(acts.map(([name, , act]) => noted(stage, name, () => act(stage, seen))));
}

/** What was not done yet comes sooner. */
function weighted({ random, done }: Stage, acts: Acts): Acts[number] {
  const weightOf = ([kind, weight]: Acts[number]) => (done.has(kind) || neverDone.has(kind) ? weight : weight + 8);
  let left = random.next() * acts.reduce((sum, act) => sum + weightOf(act), 0);
  for (const act of acts) {
    left -= weightOf(act);
    if (left < 0) return act;
  }
  return acts.at(-1) ?? unreachable();
}

function unreachable(): never {
  throw new Error('there is no act');
}

/** A refusal is an answer; what nobody should be answered is noted. */
async function noted(stage: Stage, kind: string, act: () => Promise<unknown>): Promise<void> {
  const answer = (await act()) as Partial<CallAnswer<api.Call>> | boolean | null | undefined;
  if (answer === null || answer === false) return;
  const status = typeof answer === 'object' ? (answer.status ?? 200) : 200;
  if (status >= 500) stage.wrong.push(`${kind} answered ${status} ${(answer as CallAnswer<api.Call>).raw.body}`);
  if (status < 300) stage.done.set(kind, (stage.done.get(kind) ?? 0) + 1);
}

async function seenOf(app: TestApp, { id, owner }: Stage['processes'][number]): Promise<Seen | null> {
  const { rows } = await sql<Omit<Seen, 'owner'>>`
    select p.id, p.status,
      (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'email', s.email, 'status', s.status) order by s."order", s.created_at, s.email), '[]')
        from signer s where s.signature_process_id = p.id) as signers,
      array(select k.id from stakeholder k where k.signature_process_id = p.id order by k.email) as stakeholders
    from signature_process p where p.id = ${id}`.execute(app.ctx.db);
  return rows[0] ? { ...rows[0], owner } : null;
}

function bySigner(act: (app: TestApp, signerId: string, seen: Seen, random: Random) => Promise<unknown>): Act {
  return async ({ app, random }, seen) => {
    // Whose turn it is mostly, now and then anybody.
    const sent = seen.signers.filter(({ status }) => status === 'SENT');
    const from = sent.length > 0 && random.chance(0.9) ? sent : seen.signers;
    return from.length === 0 ? null : act(app, random.pick(from).id, seen, random);
  };
}

async function begin(stage: Stage): Promise<unknown> {
  const { app, random, accounts, emails, processes } = stage;
  const owner = random.pick(accounts.slice(0, 3));
  const due = random.chance(0.4) ? new Date(app.clock.now().getTime() + random.between(25, 24 * 12) * HOUR_MS).toISOString() : null;
  const orderOf = random.pick([(index: number) => index, () => 0, (index: number) => Math.floor(index / 2)]);
  const invited = Array.from({ length: random.between(1, 3) }, () => random.pick(emails));
  const draft = await createDraft(app, owner, {
    title: random.pick(titles),
    dueDate: due,
    reminderIn: due === null && random.chance(0.5) ? 1 : null,
    documents: random.chance(0.3) ? [random.pick(files), 'anexo B.pdf'] : [random.pick(files)],
    bytes: stage.pdf,
    signers: [...new Set(invited)].map((email, index): SignerInput => ({ name: random.pick(names), email, order: orderOf(index) })),
    stakeholders: random.chance(0.3) ? [{ name: 'Eva Reis', email: 'eva@exemplo.net' }] : [],
  });
  processes.push({ id: draft.id, owner });
  // Most are sent at once.
  return random.chance(0.25) ? app.call(api.startSignatureProcess, { token: owner.token, params: { id: draft.id } }) : true;
}

function changeDraft({ app, random }: Stage, { id, owner }: Seen): Promise<unknown> {
  const dueDate = random.chance(0.3) ? new Date(app.clock.now().getTime() + random.between(25, 24 * 9) * HOUR_MS).toISOString() : null;
  const body = { title: `${random.pick(titles)} ${random.between(1, 30)}`, dueDate, reminderIn: null };
  return app.call(api.signatureProcesses.update, { token: owner.token, params: { id }, body });
}

function addSigner({ app, random, emails }: Stage, { id, owner, signers }: Seen): Promise<unknown> {
  const signer = { name: random.pick(names), email: random.pick(emails), order: random.between(0, signers.length) };
  return app.call(api.createSigner, { token: owner.token, body: { ...signer, signatureProcess: { id } } });
}

async function changeSigner({ app, random, emails }: Stage, { owner, signers }: Seen): Promise<unknown> {
  if (signers.length === 0) return null;
  const body = { name: random.pick(names), email: random.pick(emails), order: random.between(0, signers.length - 1) };
  return app.call(api.signers.update, { token: owner.token, params: { id: random.pick(signers).id }, body });
}

function addStakeholder({ app, random }: Stage, { id, owner }: Seen): Promise<unknown> {
  const body = { name: 'Eva Reis', email: `eva${random.between(1, 4)}@exemplo.net`, signatureProcess: { id } };
  return app.call(api.createStakeholder, { token: owner.token, body });
}

async function removeOf(
  app: TestApp,
  entity: typeof api.signers | typeof api.stakeholders,
  { token }: TestAccount,
  random: Random,
  ids: readonly string[],
): Promise<unknown> {
  return ids.length === 0 ? null : app.call(entity.remove, { token, params: { id: random.pick(ids) } });
}

function cancel({ app, random, accounts }: Stage, { id, owner }: Seen): Promise<unknown> {
  const { token } = random.chance(0.8) ? owner : random.pick(accounts);
  return app.call(api.cancelProcess, { token, params: { id } });
}

const ofAccounts = (accounts: readonly TestAccount[], signers: Seen['signers'], status: string) =>
  signers.filter((signer) => signer.status === status && accounts.some(({ email }) => email === signer.email));

async function correctWhoWaits({ app, random, accounts }: Stage, { id, owner, signers }: Seen): Promise<unknown> {
  const waiting = ofAccounts(accounts, signers, 'WAITING');
  if (waiting.length === 0) return null;
  const { id: signerId, email } = random.pick(waiting);
  return app.call(api.correctSigner, { token: owner.token, params: { id, signerId }, body: { name: 'Nome Corrigido', email } });
}

async function signBeforeOthers({ app, random, accounts }: Stage, { id, signers }: Seen): Promise<unknown> {
  const sent = ofAccounts(accounts, signers, 'SENT');
  const isLast = signers.filter(({ status }) => status !== 'SIGNED').length === 1;
  return sent.length === 0 || isLast ? null : sendElectronically(app, id, random.pick(sent).id);
}

/** By one of its signers mostly. */
function takeOwnLink({ app, random, accounts }: Stage, { id, signers }: Seen): Promise<unknown> {
  const own = accounts.filter(({ email }) => signers.some((signer) => signer.email === email));
  const { token } = random.pick(own.length > 0 && random.chance(0.8) ? own : accounts);
  return app.call(api.getCurrentLinkSignature, { token, params: { processId: id }, query: {} });
}

async function correct({ app, random, emails }: Stage, { id, owner, signers }: Seen): Promise<unknown> {
  const open = signers.filter(({ status }) => status === 'SENT' || status === 'WAITING');
  if (open.length === 0) return null;
  const { id: signerId, email } = random.pick(open);
  const body = { name: random.pick([...names, 'Nome Corrigido']), email: random.chance(0.4) ? email : random.pick(emails) };
  return app.call(api.correctSigner, { token: owner.token, params: { id, signerId }, body });
}

/** Moments pass, hours now and then; whoever's session ended meanwhile signs in again. One after the other: a session is renewed once. */
export async function passTime({ app, random, accounts }: Stage): Promise<void> {
  app.clock.advance(random.chance(0.07) ? { hours: random.between(1, 30) } : { seconds: random.pick([0, 1, 61, 600]) });
  for (const account of accounts) {
    const { status } = await app.call(api.getAccount, { token: account.token });
    if (status === 401) account.token = await signIn(app, account);
  }
}

/** What is due by the clock is done. */
async function byTheClock(stage: Stage): Promise<void> {
  const { random } = stage;
  const { ctx } = stage.app;
  for (const job of [expireProcessesJob, sendRemindersJob, sweepDraftsJob, foldCountsJob])
    if (random.chance(0.7)) await noted(stage, job.name, () => job.run(ctx, {}));
}

/** Somebody who was invited opens an account; somebody has another name; what was counted is folded. */
async function settle(stage: Stage): Promise<void> {
  const { app, random, accounts, emails } = stage;
  const known = new Set(accounts.map(({ email }) => email));
  const email = emails.find((one) => !known.has(one));
  const kind = random.next();
  if (email !== undefined && accounts.length < 7 && kind < 0.5) return noted(stage, 'activate', () => join(stage, email));
  if (kind < 0.8) return noted(stage, 'fold', () => foldCountsJob.run(app.ctx, {}));
  const body = { firstName: random.pick(['Ana', 'Érica', 'Ivo']), lastName: random.pick(['', 'Reis']), langKey: 'pt-br' as const };
  return noted(stage, 'rename', () => app.call(api.saveAccount, { token: random.pick(accounts).token, body }));
}

/** Registers, and follows the link of the mail, which may come while others do. */
async function join({ app, accounts }: Stage, email: string): Promise<void> {
  const account = { email, firstName: 'Rita', password: 'Tinteiro7' };
  const { body } = await app.call(api.register, { body: { ...account, login: email, langKey: 'pt-br' } });
  let key: string | undefined;
  await soon('a mail with a key', async () => {
    // Where jobs run by themselves, this only helps.
    await app.runJobs();
    const keys = (await app.mailbox.list()).map(({ to, text }) =>
      to === email ? /account\/activate\?key=([\w-]+)/.exec(text)?.[1] : undefined,
    );
    key = keys.find((one) => one !== undefined);
    return key !== undefined || body.activated;
  });
  if (key !== undefined) await app.call(api.confirmAccount, { body: { key, password: account.password } });
  const token = await signIn(app, account);
  accounts.push({ ...account, token, id: (await app.call(api.getAccount, { token })).body.id });
}
