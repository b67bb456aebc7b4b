import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The product as a user starts it: the real server over its own database, files, mailbox and timestamp authority. */
export interface Product {
  url: string;
  mailboxUrl: string;
  dataDir: string;
  mails(to: string): Promise<{ id: string; subject: string; text: string }[]>;
  /** Ends the program and leaves its data. */
  end(): Promise<void>;
  /** Ends the program and takes its data away. */
  stop(): Promise<void>;
}

/** Where `prepared.ts` has left the data of a product that has started once, for each of those who tell stories at a time; nothing outside them. */
export const preparedFor = (teller: string | number) => `STORIES_PREPARED_${teller}`;

export async function startProduct(environment: Record<string, string> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lavra-e2e-'));
  const prepared = process.env[preparedFor(process.env['TEST_PARALLEL_INDEX'] ?? '')];
  if (prepared) await cp(prepared, dataDir, { recursive: true, preserveTimestamps: true });
  const server = spawn(process.execPath, [join(root, 'apps/server/src/main.ts')], {
    env: {
      ...process.env,
      LAVRA_DATA_DIR: dataDir,
      PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
      LAVRA_LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { url, mailboxUrl } = await addresses(server);
  const end = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await Promise.race([ended, sleep(20_000, undefined, { ref: false })]);
    server.kill('SIGKILL');
  };
  return {
    url,
    mailboxUrl,
    dataDir,
    async mails(to) {
      const all = (await (await fetch(`${mailboxUrl}mails.json`)).json()) as { id: string; to: string; subject: string; text: string }[];
      return all.filter((mail) => mail.to.includes(to));
    },
    end,
    async stop() {
      await end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function addresses(server: ChildProcess): Promise<{ url: string; mailboxUrl: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const note = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Lavra: (\S+)/.exec(output)?.[1];
      const mailboxUrl = /desenvolvimento\): (\S+)/.exec(output)?.[1];
      if (url && mailboxUrl) resolve({ url, mailboxUrl });
    };
    server.stdout?.on('data', note);
    server.stderr?.on('data', note);
    server.once('exit', () => reject(new Error(`the server stopped:\n${output}`)));
  });
}

/** Waits until a mail with these words has come; a title stands in the subject or, of a sender without history, in the text. */
export async function mailed(product: Product, to: string, subject: string): Promise<{ id: string; subject: string; text: string }> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const mail = (await product.mails(to)).find((one) => `${one.subject}\n${one.text}`.toLowerCase().includes(subject.toLowerCase()));
    if (mail) return mail;
    await sleep(100);
  }
  throw new Error(`no mail “${subject}” for ${to}`);
}

/** The address in such a mail. */
export async function mailedLink(product: Product, to: string, subject: string): Promise<string> {
  const link = /https?:\/\/\S+/.exec((await mailed(product, to, subject)).text)?.[0];
  if (!link) throw new Error(`no link in “${subject}” for ${to}`);
  return link;
}
