import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import * as api from '@lavra/api';
import { type MakeBelievePscId, pressButton, type PscWorld } from '@lavra/make-believe';
import pino from 'pino';
import { signedInAccount, type TestAccount } from './accounts.ts';
import type { CallAnswer, TestApp } from './app.ts';
import { startCertificateApp } from './certificates.ts';
import { type DraftInput, startedProcess, type TestDraft } from './processes.ts';

/** Two people with a certificate at every make-believe provider. */
export const bia = { name: 'Bia Lima', cpf: '52998224725', email: 'bia@exemplo.com.br' };
export const caio = { name: 'Caio Reis', cpf: '39053344705', email: 'caio@exemplo.com.br' };

export interface CloudStory {
  app: TestApp;
  world: PscWorld;
  creator: TestAccount;
  /** Everything that was logged so far, at the finest level. */
  logged(): string;
  close(): Promise<void>;
}

/** The server with the seven make-believe providers over HTTP, by one clock. */
export async function startCloudStory(options: Parameters<typeof startCertificateApp>[0] = {}): Promise<CloudStory> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await startCertificateApp({ ...options, log: pino({ level: 'trace' }, sink) });
  const world = app.pscWorld;
  await world.enrolPerson(bia);
  await world.enrolPerson(caio);
  return {
    app,
    world,
    creator: await signedInAccount(app),
    logged: () => lines.join(''),
    close: () => app.close(),
  };
}

/** A started digital process for Bia, with two documents unless said. */
export function digitalProcess(story: CloudStory, given: DraftInput = {}): Promise<TestDraft> {
  const defaults: DraftInput = { type: 'DIGITAL_SIGNATURE', documents: ['contrato.pdf', 'anexo.pdf'], signers: [bia] };
  return startedProcess(story.app, story.creator, { ...defaults, ...given });
}

export interface Asked {
  signer: number;
  psc: MakeBelievePscId;
  holder: 'person' | 'company';
  cpf: string;
  /** The secret that stays in the browser. */
  browser: string;
  consentHash: string;
  ip: string;
}

/** A signer chooses a provider: the call, and the secret that their browser keeps. */
export async function askLeave(story: CloudStory, draft: TestDraft, change: Partial<Asked> = {}) {
  const browser = change.browser ?? randomBytes(16).toString('hex');
  const [processId, signerId] = [draft.id, draft.signerIds[change.signer ?? 0] ?? ''];
  const { body: seen } = await story.app.call(api.getRequisitionInformation, { params: { processId }, query: { user: signerId } });
  const answer = await story.app.call(api.createUrlAuthorizeByPost, {
    ip: change.ip ?? '203.0.113.20',
    body: {
      processId,
      signerId,
      userLegalIdentifier: change.cpf ?? (change.signer === 1 ? caio.cpf : bia.cpf),
      userPsc: change.psc ?? 'BIRDID',
      ...(change.holder ? { holder: change.holder } : {}),
      browser: createHash('sha256').update(browser).digest('hex'),
      consentHash: change.consentHash ?? seen.consent.hash,
      appearance: { style: 'model', image: null },
    },
  });
  return { ...answer, browser };
}

export interface CameBack {
  state: string;
  code: string | null;
  error: string | null;
}

/** The person presses a button at the provider; what their window comes back with. */
export async function pressAt(url: string | null, decision: 'approve' | 'refuse' = 'approve'): Promise<CameBack> {
  const location = await pressButton(url ?? assert.fail('no address to go to'), decision);
  const query = new URL(location ?? assert.fail('the provider sent nobody back')).searchParams;
  return { state: query.get('state') ?? '', code: query.get('code'), error: query.get('error') };
}

export function comeBack(
  story: CloudStory,
  { state, code, error }: CameBack,
  browser: string,
): Promise<CallAnswer<typeof api.createAuthorizeTransactionCallback>> {
  return story.app.call(api.createAuthorizeTransactionCallback, { body: { state, code, error, id: 'psc', browser } });
}

/** The whole way of a redirect, up to the queued signing. */
export async function giveLeave(story: CloudStory, draft: TestDraft, change: Partial<Asked> = {}) {
  const asked = await askLeave(story, draft, change);
  assert.equal(asked.status, 200, asked.raw.body);
  return comeBack(story, await pressAt(asked.body.url), asked.browser);
}

/** The same, and the jobs; answers what the signer's page reads. */
export async function signInCloud(story: CloudStory, draft: TestDraft, change: Partial<Asked> = {}) {
  const finished = await giveLeave(story, draft, change);
  assert.equal(finished.status, 200, finished.raw.body);
  await story.app.runJobs();
  return statusOf(story, draft, change.signer);
}

export async function statusOf(story: CloudStory, draft: TestDraft, signer = 0) {
  const params = { processId: draft.id, signerId: draft.signerIds[signer] ?? '' };
  return (await story.app.call(api.getSignatureStatus, { params })).body;
}

/** The newest attempt of a signer, as it is stored. */
export async function attemptOf(story: CloudStory, draft: TestDraft, signer = 0) {
  return story.app.ctx.db
    .selectFrom('signing_attempt')
    .selectAll()
    .where('signer_id', '=', draft.signerIds[signer] ?? '')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}
