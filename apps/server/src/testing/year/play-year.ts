import { DomainError, limits } from '@lavra/domain';
import { sql } from 'kysely';
import type { SignerLink } from '../../access/actor.ts';
import { mailedKeys } from '../../access/signer-links.store.ts';
import { uploadDocuments } from '../../features/documents/upload-documents.ts';
import { createSignatureProcess } from '../../features/processes/creation/create-signature-process.ts';
import { createSigner } from '../../features/processes/creation/create-signer.ts';
import { createStakeholder } from '../../features/processes/creation/create-stakeholder.ts';
import { startProcess } from '../../features/processes/creation/start-process.ts';
import { cancelProcess } from '../../features/processes/life/cancel-process.ts';
import { expireProcessesJob } from '../../features/processes/life/expire-processes.job.ts';
import { sendRemindersJob } from '../../features/processes/life/send-reminders.job.ts';
import { tellSignerAgain } from '../../features/processes/life/tell-signer-again.ts';
import { loadProcess } from '../../features/processes/load-process.ts';
import type { ProcessSigner } from '../../features/processes/signature-process.ts';
import { foldCountsJob } from '../../features/processes/reading/fold-counts.job.ts';
import { removeOldFilesJob } from '../../features/retention/remove-old-files.job.ts';
import { consentFor } from '../../features/signing/consent.ts';
import { initElectronicSignature } from '../../features/signing/electronic/init-electronic-signature.ts';
import { rejectSignature } from '../../features/signing/reject-signature.ts';
import { type Job, openJobQueue } from '../../jobs/queue.ts';
import { forgetMailsTo, removeOldMails } from '../../mail/mail.store.ts';
import type { TestAccount } from '../accounts.ts';
import type { TestApp } from '../app.ts';
import { samplePdf, signaturePng } from '../processes.ts';
import { type Kept, playCompanies } from './play-companies.ts';
import { from, personOf } from './person-of.ts';
import type { Random } from './random.ts';
import { undrawnJobs } from './undrawn-jobs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Who signs; the first have accounts. */
export interface Cast {
  creators: readonly TestAccount[];
  /** Those of them who found, join and leave companies. */
  employers: readonly TestAccount[];
  emails: readonly string[];
}

/** What was played, as the play knows it. */
export interface Played {
  /** When the service was awake: what is due by the clock happens then and at no other time. */
  awake: Date[];
  processIds: string[];
  /** How long whose files are kept, from when on. */
  kept: readonly Kept[];
  /** What should have been refused and was not, or was refused for a wrong reason. */
  wrong: string[];
}

/** A stage on which time passes. */
interface Stage {
  app: TestApp;
  random: Random;
  cast: Cast;
  played: Played;
  pdf: Buffer;
  image: string;
  drain: () => Promise<void>;
  /** Jobs that ran: some run once more, much later, as after a program that died before it could say so. */
  ran: { job: Job<never>; data: never; at: Date }[];
  open: Set<string>;
}

/** Plays days of many people on an injected clock: creation, turns, refusals, deadlines, reminders, pauses of the whole service. */
export async function playYear(app: TestApp, random: Random, cast: Cast, { days, processes }: { days: number; processes: number }) {
  const companies = playCompanies(app, random, cast.employers);
  const played: Played = { awake: [], processIds: [], kept: companies.kept, wrong: [] };
  const ran: Stage['ran'] = [];
  const queue = await openJobQueue(
    app.connection,
    undrawnJobs.map((job) => twice(job, random, ran, app)),
    app.ctx.log,
    { background: false },
  );
  const drain = async () => {
    const { rows } = await sql`select from pgboss.job where state < 'active' and start_after <= now() limit 1`.execute(app.ctx.db);
    if (rows.length > 0) await queue.drain(app.ctx);
  };
  const [pdf, image] = [await samplePdf(1), signaturePng()];
  const stage: Stage = { app, random, cast, played, pdf, image, drain, ran, open: new Set() };
  const begin = app.clock.now().getTime();
  const last = begin + days * DAY_MS;
  try {
    while (app.clock.now().getTime() < last) {
      app.clock.advance({ minutes: pauseOf(random) });
      const isLate = app.clock.now().getTime() > last - 40 * DAY_MS;
      const due = ((app.clock.now().getTime() - begin) / (days * DAY_MS - 40 * DAY_MS)) * processes;
      // After a pause people may be faster than what runs by itself.
      const acts = random.chance(0.5) ? [byItself, actsOfPeople] : [actsOfPeople, byItself];
      for (const act of acts) await act(stage);
      await companies.live(drain);
      while (!isLate && played.processIds.length < due) await begun(stage);
      if (random.chance(0.1)) await again(stage);
    }
    return played;
  } finally {
    await queue.stop();
  }
}

/** Minutes until somebody does something again: hours mostly, now and then the service stands still for weeks. */
function pauseOf(random: Random): number {
  const kind = random.next();
  if (kind < 0.85) return random.between(30, 20 * 60);
  return kind < 0.97 ? random.between(20 * 60, 72 * 60) : random.between(4 * 24 * 60, 20 * 24 * 60);
}

/** Delivered at least once: some run twice, one after the other or both at once. */
function twice(job: Job<never>, random: Random, ran: Stage['ran'], app: TestApp): Job<never> {
  return {
    ...job,
    async run(ctx, data) {
      ran.push({ job, data, at: app.clock.now() });
      const kind = random.next();
      // A mail that a server took twice under one Message-ID is what a crash may cost; twice at once is no crash.
      if (kind < 0.1 && job.name !== 'send-mail') await Promise.allSettled([job.run(ctx, data), job.run(ctx, data)]);
      await job.run(ctx, data);
      if (kind > 0.9) await job.run(ctx, data);
    },
  };
}

/** Jobs of the last weeks run once more, and meanwhile people had what is known of their mails erased. */
async function again({ app, random, cast, ran, drain }: Stage): Promise<void> {
  const since = app.clock.now().getTime() - 25 * DAY_MS;
  const late = ran.filter(({ job, at }) => job.name !== 'send-mail' && at.getTime() > since);
  if (late.length === 0) return;
  if (random.chance(0.5))
    await app.ctx.transaction(async (tx) => {
      for (const email of cast.emails) await forgetMailsTo(tx, email);
    });
  for (let jobs = 3; jobs > 0; jobs -= 1) {
    const { job, data } = random.pick(late);
    await job.run(app.ctx, data).catch(expected);
  }
  await drain();
}

/** The crons, on two nodes at once. */
async function byItself({ app, played, drain }: Stage): Promise<void> {
  app.clock.advance({ seconds: 7 });
  const before = played.awake.at(-1);
  const now = app.clock.now();
  played.awake.push(now);
  const { ctx } = app;
  const run = (job: Job<Record<string, never>>) => Promise.all([job.run(ctx, {}), job.run(ctx, {})]);
  await run(expireProcessesJob);
  await run(sendRemindersJob);
  await drain();
  await foldCountsJob.run(ctx, {});
  if (before && before.getUTCDate() === now.getUTCDate() && now.getTime() - before.getTime() < DAY_MS) return;
  await run(removeOldFilesJob);
  await removeOldMails(ctx, new Date(now.getTime() - 30 * DAY_MS));
  await drain();
}

/** One more process, with any orders, deadlines and reminders. */
async function begun(stage: Stage): Promise<void> {
  const { app, random, cast, played, pdf, drain } = stage;
  const { ctx, clock } = app;
  clock.advance({ seconds: 11 });
  const owner = personOf(random.pick(cast.creators));
  const number = String(played.processIds.length + 1).padStart(4, '0');
  const files = Array.from({ length: random.between(1, 2) }, (_, index) => `contrato ${number} ${index}.pdf`);
  const documents = await uploadDocuments(ctx, owner, {
    announcedBytes: pdf.length,
    files: incoming(files, pdf),
    gone: new AbortController().signal,
  });
  const now = clock.now().getTime();
  const due = random.chance(0.5) ? new Date(now + random.between(26, 24 * 45) * HOUR_MS) : null;
  const { id } = await createSignatureProcess(ctx, owner, {
    title: `Contrato ${number}.`,
    dueDate: due,
    reminderIn: due && due.getTime() - now < 15 * DAY_MS ? null : random.pick([null, ...limits.reminderDays]),
    modality: 'electronic',
    documentIds: documents.map((document) => document.id),
    createdByFront: true,
    awaitsStart: true,
    geolocation: 'optional',
    tellStakeholders: random.chance(0.7),
    langKey: undefined,
  });
  const quantity = random.between(1, 4);
  // In order, all at once, or some of them together.
  const orderOf = random.pick([(index: number) => index, () => 0, (index: number) => Math.floor(index / 2)]);
  const mails = new Set<string>();
  while (mails.size < quantity) mails.add(random.pick(cast.emails));
  for (const [index, email] of [...mails].entries())
    await createSigner(ctx, owner, {
      signatureProcessId: id,
      name: 'Bia Lima',
      email,
      phoneNumber: null,
      legalIdentifier: null,
      companyIdentifier: null,
      order: orderOf(index),
      // Of their own only where the whole has none: then they ascend.
      dueDate: due === null && random.chance(0.4) ? new Date(now + (16 + orderOf(index)) * DAY_MS) : null,
      quantity: 1,
      visible: false,
      placements: [],
      modelId: null,
    });
  if (random.chance(0.4)) await createStakeholder(ctx, owner, { signatureProcessId: id, name: 'Eva Reis', email: 'eva@exemplo.com.br' });
  await Promise.all([startProcess(ctx, owner, id), startProcess(ctx, owner, id)]);
  played.processIds.push(id);
  stage.open.add(id);
  await drain();
}

async function* incoming(names: readonly string[], pdf: Buffer) {
  for (const fileName of names)
    yield {
      fileName,
      openedFrom: null,
      continues: null,
      isCut: () => false,
      bytes: (async function* () {
        yield Buffer.concat([pdf, Buffer.from(`% ${fileName}\n`)]);
      })(),
    };
}

/** What people do in one go, several of them at the same time. */
async function actsOfPeople(stage: Stage): Promise<void> {
  const { app, random, played, drain, open } = stage;
  for (let rounds = random.between(1, 2); rounds > 0; rounds -= 1) {
    app.clock.advance({ seconds: 13 });
    for (const id of open) {
      if (random.chance(0.6)) continue;
      const loaded = await loadProcess(app.ctx, id);
      if (loaded.status !== 'IN_PROGRESS') {
        open.delete(id);
        await refusedAfterTheEnd(stage, id, loaded.signers);
        continue;
      }
      const acts = loaded.signers.map((signer) => actOf(stage, id, loaded, signer));
      const owner = stage.cast.creators.find(({ id: one }) => one === loaded.ownerId);
      if (owner && random.chance(0.01)) acts.push(cancelProcess(app.ctx, personOf(owner), id));
      for (const done of await Promise.allSettled(acts))
        if (done.status === 'rejected' && !isExpected(done.reason)) played.wrong.push(String(done.reason));
    }
    await drain();
  }
}

async function linkOf({ app }: Stage, signerId: string): Promise<SignerLink> {
  const key = (await mailedKeys(app.ctx, [signerId])).get(signerId) ?? '';
  return { kind: 'signerLink', key, signerId, channel: 'mailed', signedInAs: null, from };
}

async function actOf(stage: Stage, id: string, loaded: { ownerId: string; title: string }, signer: ProcessSigner): Promise<void> {
  const { app, random, cast, played } = stage;
  const kind = random.next();
  if (signer.status === 'WAITING') {
    // Before their turn: refused, whatever they hold.
    if (kind < 0.2)
      await signed(stage, id, loaded.title, signer).then(() => void played.wrong.push(`${signer.id} signed before their turn`));
    return;
  }
  if (signer.status !== 'SENT') return;
  const owner = cast.creators.find((one) => one.id === loaded.ownerId);
  if (kind < 0.22) await signed(stage, id, loaded.title, signer);
  else if (kind < 0.24) await rejectSignature(app.ctx, await linkOf(stage, signer.id), { signatureProcessId: id, cause: 'Valor errado.' });
  else if (kind < 0.34 && owner)
    await tellSignerAgain(app.ctx, personOf(owner), { id, signerId: signer.id, as: random.pick(['invitation', 'reminder']) });
}

async function signed(stage: Stage, signatureProcessId: string, title: string, signer: ProcessSigner): Promise<void> {
  const { ctx } = stage.app;
  await initElectronicSignature(ctx, await linkOf(stage, signer.id), {
    signatureProcessId,
    name: signer.name,
    cpf: '529.982.247-25',
    consentHash: consentFor(ctx, signer.langKey, title, 'electronic').hash,
    clientIp: null,
    latitude: null,
    longitude: null,
    accuracy: null,
    image: stage.image,
    style: 'drawn',
  });
}

/** Nobody acts on what has ended. */
async function refusedAfterTheEnd(stage: Stage, id: string, signers: readonly ProcessSigner[]): Promise<void> {
  for (const signer of signers) {
    const link = await linkOf(stage, signer.id);
    const late = rejectSignature(stage.app.ctx, link, { signatureProcessId: id, cause: 'Tarde demais.' });
    await late.then(() => void stage.played.wrong.push(`${signer.id} refused after the end`)).catch(expected);
  }
}

/** Somebody was faster, a deadline passed, it is not their turn, or the sender asked again too soon: what the domain refuses by a code. */
const refusals = new Set<string>([
  'process.notInProgress',
  'signer.alreadySigned',
  'signer.alreadyRejected',
  'signer.deadlinePassed',
  'signer.notYourTurn',
  'signer.toldRecently',
  'request.conflict',
  'signing.prepareAgain',
]);

const isExpected = (error: unknown) => error instanceof DomainError && refusals.has(error.code);

function expected(error: unknown): void {
  if (!isExpected(error)) throw error;
}
