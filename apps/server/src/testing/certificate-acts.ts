import assert from 'node:assert/strict';
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { pressButton } from '@lavra/make-believe';
import type { TestApp } from './app.ts';
import type { TestDraft } from './processes.ts';

type Caller = Pick<TestApp, 'call'>;
const model = { style: 'model', image: null } as const;
const acting = (draft: TestDraft, signer: number) => ({ processId: draft.id, signerId: draft.signerIds[signer] ?? '' });

/** Asks again for a minute until it is so. @throws Error when it never is */
export async function until<T>(read: () => Promise<T> | T, done: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const value = await read();
    if (done(value)) return value;
    await sleep(100);
  }
  throw new Error('waited a minute for nothing');
}

export async function statusOf(app: Caller, draft: TestDraft, signer: number) {
  return (await app.call(api.getSignatureStatus, { params: acting(draft, signer) })).body;
}

/** Waits for a signer's turn; answers the consent that goes with the act. */
export async function turnOf(app: Caller, draft: TestDraft, signer: number): Promise<string> {
  const { processId, signerId } = acting(draft, signer);
  const { body } = await until(
    () => app.call(api.getRequisitionInformation, { params: { processId }, query: { user: signerId } }),
    (answer) => answer.body.me?.can.sign === true,
  );
  return body.consent.hash;
}

/** The holder agrees at the make-believe provider and their window comes back; the signing is then queued. */
export async function giveCloudLeave(app: Caller, draft: TestDraft, signer: number, holder: { cpf: string; psc: string }): Promise<void> {
  const browser = randomBytes(16).toString('hex');
  const asked = await app.call(api.createUrlAuthorizeByPost, {
    body: {
      ...acting(draft, signer),
      userLegalIdentifier: holder.cpf,
      userPsc: holder.psc,
      browser: createHash('sha256').update(browser).digest('hex'),
      consentHash: await turnOf(app, draft, signer),
      appearance: model,
    },
  });
  assert.equal(asked.status, 200, asked.raw.body);
  const sentTo = await pressButton(asked.body.url ?? '', 'approve');
  const query = new URL(sentTo ?? assert.fail('the provider sent nobody back')).searchParams;
  const back = { state: query.get('state') ?? '', code: query.get('code'), error: null, id: 'psc', browser };
  const finished = await app.call(api.createAuthorizeTransactionCallback, { body: back });
  assert.equal(finished.status, 200, finished.raw.body);
}

export interface LocalKey {
  cpf: string;
  source: 'file' | typeof api.LAVRA_SIGNER;
  /** DER. */
  certificate: Uint8Array;
  key: KeyObject;
}

/** Signs with a key at hand, as the page does with a file and Lavra Signer with a token. */
export async function signLocally(app: Caller, draft: TestDraft, signer: number, own: LocalKey): Promise<void> {
  const completed = await (await preparedLocally(app, draft, signer, own))();
  assert.ok(completed.status < 300, completed.raw.body);
}

/** The same up to the values, which are sent each time that it is called. */
export async function preparedLocally(app: Caller, draft: TestDraft, signer: number, { cpf, source, certificate, key }: LocalKey) {
  const prepared = await app.call(api.prepareLocalSignature, {
    body: {
      ...acting(draft, signer),
      cpf,
      source,
      certificate: Buffer.from(certificate).toString('base64'),
      chain: [],
      consentHash: await turnOf(app, draft, signer),
      appearance: model,
    },
  });
  assert.equal(prepared.status, 200, prepared.raw.body);
  const { attemptId, documents } = prepared.body;
  const signatures = documents.map(({ documentId, digest, signedAttributes }) => ({
    documentId,
    value: sign(digest, Buffer.from(signedAttributes, 'base64'), key).toString('base64'),
  }));
  return () => app.call(api.completeLocalSignature, { body: { ...acting(draft, signer), attemptId, signatures } });
}
