/**
 * Fifty people at once who use the product as people do, for half an hour: each has an account and an address of their own, sends a document,
 * looks at their list, opens the signer's link, signs, waits as a browser waits, downloads what was signed and verifies it by its identifier,
 * with a pause of one to five seconds before each act. Prints how often each call was asked and how long it took beside a server that does
 * nothing, asked by the same people; the memory minute by minute; and what went wrong, which is nothing or a fault of the run.
 *
 *     node bench/people.ts [minutes, default 30] [people, default 50] [pauses, in parts of these, default 1]     (short: 0.1 3 0.1)
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBare } from './bare-server.ts';
import { makeDocument } from './make-document.ts';
import { quantile, startBenchedProduct } from './product.ts';
import { residentMegabytes } from './resident.ts';
import { ownSignature } from './whole-job.ts';

/** Memory that may come between the middle third of the run and the last, in parts of what is there. */
const MOST_GROWTH = 0.1;
/** A new account may invite fifty people an hour. */
const PROCESSES_PER_ACCOUNT = 45;
const POLL_MS = 3000;
const WAIT_MS = 120_000;
/** Tokens live for longer than that and one story. */
const RENEW_MS = 4 * 60_000;
const PASSWORD = 'Segredo123';

const minutes = Number(process.argv[2] ?? 30);
const people = Number(process.argv[3] ?? 50);
const pauses = Number(process.argv[4] ?? 1);
await using product = await startBenchedProduct({ variables: { TRUSTED_PROXIES: '1' } });
const path = join(product.directory, 'input.pdf');
await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
const pdf = new Uint8Array(await readFile(path));
const mails = join(product.directory, 'mail');
const bare = await startBare();
const end = performance.now() + minutes * 60_000;

const times = new Map<string, number[]>();
const faults = new Map<string, number>();
let finished = 0;

const readMails = new Set<string>();
const activationKeys = new Map<string, string>();

/** What the mail to a new account says; each mail is read once. */
async function activationKey(email: string): Promise<string> {
  for (const patience = performance.now() + 60_000; performance.now() < patience; await sleep(200)) {
    for (const name of (await readdir(mails)).filter((one) => one.endsWith('.json') && !readMails.has(one))) {
      readMails.add(name);
      const { to, text } = JSON.parse(await readFile(join(mails, name), 'utf8')) as { to: string; text: string };
      const key = /[?&#]key=([\w-]+)/.exec(text)?.[1];
      if (key !== undefined && to.startsWith('pessoa.')) activationKeys.set(to, key);
    }
    const found = activationKeys.get(email);
    if (found !== undefined) return found;
  }
  throw new Error('register: no mail in a minute');
}

/** A person, who comes from an address of their own. */
class Person {
  private readonly address: string;
  private token = '';
  private email = '';
  /** When a browser would have its token renewed. */
  private renewAt = 0;

  constructor(index: number) {
    this.address = `198.18.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  }

  /** Asks after a pause, and notes under `name` how long the answer took to its last byte. */
  async ask<T>(name: string, method: 'GET' | 'POST', path: string, body?: object, pauseMs = 1000 + Math.random() * 4000): Promise<T> {
    await sleep(pauseMs * pauses);
    const isForm = body instanceof FormData;
    const begun = performance.now();
    const answer = await fetch(name === 'floor' ? bare : `${product.url}/${path}`, {
      method,
      headers: {
        'x-forwarded-for': this.address,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
      },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const of = times.get(name) ?? [];
    times.set(name, of);
    of.push(performance.now() - begun);
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.headers.get('x-app-error') ?? ''}`);
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return (isJson ? JSON.parse(bytes.toString()) : bytes) as T;
  }

  async openAccount(): Promise<void> {
    this.token = '';
    const email = `pessoa.${randomUUID().slice(0, 18)}@exemplo.com.br`;
    const body = { firstName: 'Ana', login: email, email, password: PASSWORD };
    const { activated } = await this.ask<{ activated?: boolean }>('register', 'POST', 'api/register', body);
    if (!activated) await this.ask('activate', 'POST', 'api/activate', { key: await activationKey(email), password: PASSWORD });
    await this.signIn(email);
  }

  private async signIn(email: string): Promise<void> {
    this.token = '';
    this.email = email;
    const given = await this.ask<{ id_token: string }>('sign in', 'POST', 'api/authenticate', { username: email, password: PASSWORD });
    this.token = given.id_token;
    this.renewAt = performance.now() + RENEW_MS;
  }

  /** From the upload to the verified document. */
  async tell(): Promise<void> {
    if (performance.now() > this.renewAt) await this.signIn(this.email);
    const { processId, signerId, email } = await this.send();
    await this.ask('list', 'GET', 'api/signature-processes?page=0&size=20');
    await this.ask('story', 'GET', `api/signature-processes/${processId}/story`);
    const documentId = await this.sign(processId, await product.linkKey(signerId));
    await this.waitFor('process', `api/signature-processes/${processId}`, 'FINALIZED_WITH_SUCCESS');
    await this.ask('download', 'GET', `api/downloadSignature/${processId}/${documentId}`);
    await this.verify(documentId, email);
    await this.ask('floor', 'GET', '');
    finished += 1;
  }

  private async send(): Promise<{ processId: string; signerId: string; email: string }> {
    const form = new FormData();
    form.append('files', new Blob([pdf, `% ${randomUUID()}\n`], { type: 'application/pdf' }), 'contrato.pdf');
    const files = await this.ask<{ id: string }[]>('upload', 'POST', 'api/documents', form);
    const { id: processId } = await this.ask<{ id: string }>('create', 'POST', 'api/signature-processes', {
      title: `Contrato ${randomUUID().slice(0, 8)}`,
      dueDate: null,
      reminderIn: null,
      type: 'ELETRONIC_SIGNATURE',
      files: files.map(({ id }) => ({ id })),
      geolocation: 'optional',
    });
    const email = `bia.${randomUUID().slice(0, 18)}@exemplo.com.br`;
    const { id: signerId } = await this.ask<{ id: string }>('name a signer', 'POST', 'api/signers', {
      signer: { name: 'Bia Lima', email, order: 0, signatureProcess: { id: processId } },
      signatureVisibleActive: false,
      visibleSignature: [],
    });
    await this.ask('start', 'POST', `api/signature-processes/${processId}/start`);
    return { processId, signerId, email };
  }

  /** Opens the link and signs; answers the document. */
  private async sign(processId: string, key: string): Promise<string> {
    interface Page {
      me: { can: { sign: boolean } };
      consent: { hash: string };
      documents: { id: string }[];
    }
    const look = () => this.ask<Page>('signer’s page', 'GET', `api/requisitionInformation/${processId}?user=${key}`);
    let page = await look();
    for (const patience = performance.now() + WAIT_MS; !page.me.can.sign; page = await look())
      if (performance.now() > patience) throw new Error('signer’s page: two minutes, and they may not sign');
    const [document] = page.documents;
    if (!document) throw new Error('the page shows no document');
    await this.ask('view', 'GET', `api/documents/${document.id}/content?user=${key}`);
    await this.ask('sign', 'POST', 'api/signature-evidences/initEletronicSignature', {
      processId,
      signerId: key,
      cpf: '52998224725',
      name: 'Bia Lima',
      consentHash: page.consent.hash,
      signatureEvidence: {
        latitude: null,
        longitude: null,
        accuracy: null,
        signatureImage: ownSignature(),
        signatureImageContentType: 'image/png',
      },
    });
    await this.waitFor('status', `api/signatureStatus/${processId}/${key}`, 'SIGNED');
    return document.id;
  }

  private async waitFor(name: string, path: string, wanted: string): Promise<void> {
    for (const patience = performance.now() + WAIT_MS; performance.now() < patience;) {
      const { status } = await this.ask<{ status: string }>(name, 'GET', path, undefined, POLL_MS);
      if (status === wanted) return;
    }
    throw new Error(`${name}: two minutes without ${wanted}`);
  }

  private async verify(documentId: string, email: string): Promise<void> {
    const asked = `api/loginValidation?documentId=${documentId}&emailSigner=${encodeURIComponent(email)}`;
    const { ticket } = await this.ask<{ ticket: string | null }>('verify: who', 'GET', asked);
    if (ticket === null) throw new Error('verify: the signer is not let in');
    const look = `api/validation?documentId=${documentId}&ticket=${encodeURIComponent(ticket)}`;
    const { status } = await this.ask<{ status: string }>('verify', 'GET', look);
    if (status !== 'FINALIZED_WITH_SUCCESS') throw new Error(`verify: ${status}`);
  }
}

async function live(index: number): Promise<void> {
  const person = new Person(index);
  // Not all at the same moment.
  await sleep(Math.random() * 5000 * pauses);
  for (let told = 0; performance.now() < end; told += 1) {
    try {
      if (told % PROCESSES_PER_ACCOUNT === 0) await person.openAccount();
      await person.tell();
    } catch (error) {
      const said = (error as Error).message;
      faults.set(said, (faults.get(said) ?? 0) + 1);
    }
  }
}

const memory: { program: number; workers: number }[] = [];
const everyMs = Math.max(1000, Math.min(60_000, (minutes * 60_000) / 6));
const watch = setInterval(() => {
  memory.push(residentMegabytes(product.pid));
  const { program, workers } = memory.at(-1) ?? { program: 0, workers: 0 };
  console.log(
    `  after ${((memory.length * everyMs) / 60_000).toFixed(1)} min: ${program.toFixed(0)} MB program, ${workers.toFixed(0)} MB workers; ${finished} documents`,
  );
}, everyMs);
const begun = performance.now();
await Promise.all(Array.from({ length: people }, (_, index) => live(index)));
clearInterval(watch);

const floor = quantile(times.get('floor') ?? [], 0.95);
console.log(
  `${people} people, ${((performance.now() - begun) / 60_000).toFixed(1)} minutes: ${finished} documents signed, downloaded and verified`,
);
console.log('call                 asked   median ms   95 % ms   99 % ms   longest   95 %, in floors');
for (const [name, each] of times) {
  const of = [0.5, 0.95, 0.99, 1].map((part) => quantile(each, part));
  const [median = 0, most = 0, more = 0, longest = 0] = of;
  const cells = [median, most, more, longest].map((value) => value.toFixed(0));
  console.log(
    [
      name.padEnd(18),
      String(each.length).padStart(7),
      cells[0]?.padStart(11),
      cells[1]?.padStart(9),
      cells[2]?.padStart(9),
      cells[3]?.padStart(9),
      (most / floor).toFixed(1).padStart(16),
    ].join(' '),
  );
}
const third = Math.floor(memory.length / 3);
const middle = (part: typeof memory) =>
  quantile(
    part.map(({ program, workers }) => program + workers),
    0.5,
  );
const [before, after] = [middle(memory.slice(third, 2 * third)), middle(memory.slice(2 * third))];
console.log(`memory: ${before.toFixed(0)} MB in the middle third, ${after.toFixed(0)} MB in the last`);
for (const [said, count] of faults) console.log(`FAULT, ${count} times: ${said}`);
const isGrowing = minutes >= 5 && after > before * (1 + MOST_GROWTH);
if (isGrowing) console.log('FAULT: memory grows');
process.exitCode = faults.size > 0 || isGrowing || finished === 0 ? 1 : 0;
