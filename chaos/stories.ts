import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signaturePng } from '../apps/server/src/testing/processes.ts';
import { Client, GivenUp } from './client.ts';
import type { Ledger, ProcessNote, SignerNote } from './ledger.ts';
import type { Random } from './random.ts';

const CPF = '52998224725';

export interface Stage {
  ledger: Ledger;
  random: Random;
  pdf: Uint8Array<ArrayBuffer>;
  /** A client with an address of its own. */
  client(): Client;
  /** A signed-in account; each lane has its own. */
  account(client: Client): Promise<void>;
  /** The key of the link in the invitation to this address, when it has come. */
  linkKey(email: string): Promise<string>;
  over(): boolean;
}

/** One lane: stories one after the other until the run is over; the last one is told to its end. */
export async function lane(stage: Stage): Promise<void> {
  let told = 0;
  const creator = stage.client();
  await stage.account(creator);
  while (!stage.over()) {
    // Accounts have bounds of their own (invitations an hour): a new one now and then.
    if (told > 0 && told % 6 === 0) await stage.account(creator);
    await story(stage, creator);
    told += 1;
  }
}

/** Upload, create, name signers, start; then they sign, one may refuse, the creator may cancel. */
async function story(stage: Stage, creator: Client): Promise<void> {
  const { ledger, random } = stage;
  const documentIds = await upload(stage, creator);
  const created = await draft(creator, documentIds);
  const note: ProcessNote = { id: created.id, documentIds, started: false, canceled: false, signers: [], ended: false };
  ledger.processes.set(created.id, note);
  const quantity = random.between(1, 3);
  for (let order = 0; order < quantity; order += 1) note.signers.push(await nameSigner(creator, created.id, order));
  await creator.insist({ method: 'POST', path: `api/signature-processes/${created.id}/start` }, ['process.notDraft']);
  note.started = true;
  const ending = random.next();
  for (const signer of note.signers) {
    if (ending < 0.1 && signer === note.signers.at(-1)) await reject(stage, note, signer);
    else await sign(stage, note, signer);
    if (ending > 0.9) {
      await cancel(creator, note);
      break;
    }
  }
  note.ended = true;
}

/** One or two files that nobody sent before. */
export async function upload({ ledger, random, pdf }: Stage, creator: Client): Promise<string[]> {
  const form = new FormData();
  const hashes: string[] = [];
  for (let n = random.between(1, 2); n > 0; n -= 1) {
    const bytes = Buffer.concat([pdf, Buffer.from(`% ${randomUUID()}\n`)]);
    hashes.push(createHash('sha256').update(bytes).digest('hex'));
    form.append('files', new Blob([bytes], { type: 'application/pdf' }), `contrato ${n}.pdf`);
  }
  const request = { method: 'POST' as const, path: 'api/documents', body: form, headers: { 'idempotency-key': randomUUID() } };
  const { body } = await creator.insist<{ id: string; hash: string }[]>(request);
  body.forEach(({ id }, index) => ledger.documents.set(id, { hash: hashes[index] ?? '', owner: creator.email }));
  return body.map(({ id }) => id);
}

/** A process with these files, not started yet. */
export async function draft(
  creator: Client,
  documentIds: readonly string[],
  change: { dueDate?: string; reminderIn?: number } = {},
): Promise<{ id: string }> {
  const wanted = {
    title: `Contrato ${randomUUID().slice(0, 8)}`,
    dueDate: null,
    reminderIn: null,
    type: 'ELETRONIC_SIGNATURE',
    files: documentIds.map((id) => ({ id })),
    geolocation: 'optional',
    awaitsStart: true,
    ...change,
  };
  return (await creator.insist<{ id: string }>(keyed('api/signature-processes', wanted))).body;
}

function keyed(path: string, body: object) {
  return { method: 'POST' as const, path, body, headers: { 'idempotency-key': randomUUID() } };
}

/** As the sender does it. */
export async function nameSigner(creator: Client, processId: string, order: number): Promise<SignerNote> {
  const email = `pessoa.${randomUUID()}@exemplo.com.br`.slice(-50);
  const signer = { name: 'Bia Lima', email, order, signatureProcess: { id: processId } };
  const { body } = await creator.insist<{ id: string }>(
    keyed('api/signers', { signer, signatureVisibleActive: false, visibleSignature: [] }),
  );
  return { id: body.id, email, signed: false, rejected: false };
}

/** Asks to sign until the status says SIGNED: an attempt that failed for a cause that passes is begun again. */
async function sign(stage: Stage, note: ProcessNote, signer: SignerNote): Promise<void> {
  const client = stage.client();
  signer.key ??= await stage.linkKey(signer.email);
  const end = performance.now() + 240_000;
  for (let asked = false; performance.now() < end; await sleep(150)) {
    const status = await client.insist<{ status: string; reason: string | null }>({
      method: 'GET',
      path: `api/signatureStatus/${note.id}/${signer.key}`,
    });
    if (status.body.status === 'SIGNED') {
      signer.signed = true;
      return;
    }
    if (status.body.status === 'SIGNING') continue;
    if (asked) await sleep(500);
    const consent = await consentOf(client, note, signer);
    if (!consent) continue;
    asked = true;
    const evidence = {
      latitude: null,
      longitude: null,
      accuracy: null,
      signatureImage: signaturePng(),
      signatureImageContentType: 'image/png',
    };
    const body = {
      processId: note.id,
      signerId: signer.key,
      cpf: CPF,
      name: 'Bia Lima',
      consentHash: consent,
      signatureEvidence: evidence,
    };
    await client.insist({ method: 'POST', path: 'api/signature-evidences/initEletronicSignature', body }, ['signer.alreadySigned']);
  }
  throw new GivenUp(`a signer did not come to SIGNED in four minutes`);
}

/** Null while it is not this person's turn. */
async function consentOf(client: Client, note: ProcessNote, signer: SignerNote): Promise<string | null> {
  const path = `api/requisitionInformation/${note.id}?user=${signer.key}`;
  const { body } = await client.insist<{ me: { can: { sign: boolean } } | null; consent: { hash: string } }>({ method: 'GET', path });
  return body.me?.can.sign ? body.consent.hash : null;
}

async function reject(stage: Stage, note: ProcessNote, signer: SignerNote): Promise<void> {
  const client = stage.client();
  signer.key ??= await stage.linkKey(signer.email);
  while ((await consentOf(client, note, signer)) === null) await sleep(200);
  const body = { rejectCause: 'Valor errado.', processId: note.id, signerId: signer.key };
  const done = ['signer.alreadyRejected', 'process.notInProgress'];
  await client.insist({ method: 'POST', path: 'api/createSignatureRejected', body }, done);
  signer.rejected = true;
}

/** The last signature may have ended the process before: then there is nothing to cancel. */
async function cancel(creator: Client, note: ProcessNote): Promise<void> {
  const path = `api/signature-processes/${note.id}/cancel`;
  for (const end = performance.now() + 150_000; performance.now() < end; await sleep(300)) {
    const answer = await creator.ask<unknown>({ method: 'POST', path }).catch(() => null);
    if (!answer || answer.status >= 500 || answer.status === 429) continue;
    if (answer.status < 300) {
      note.canceled = true;
      return;
    }
    const { body } = await creator.insist<{ status: string }>({ method: 'GET', path: `api/signature-processes/${note.id}` });
    note.canceled = body.status === 'CREATOR_CANCELED';
    if (body.status !== 'IN_PROGRESS') return;
  }
}
