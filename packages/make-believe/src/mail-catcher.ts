import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface CaughtMail {
  id: string;
  /** The sender's own `Message-ID`: the same for a mail that came twice. */
  messageId: string;
  receivedAt: string;
  from: string;
  /** '' where answers go to the sender. */
  replyTo: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailbox {
  /** Newest first. */
  list(): Promise<CaughtMail[]>;
  get(id: string): Promise<CaughtMail | null>;
  remove(id: string): Promise<void>;
}

export interface MailCatcher {
  smtpUrl: string;
  mailbox: Mailbox;
  close(): Promise<void>;
}

/** A real SMTP server that delivers everything into one directory, one JSON file a mail. */
export async function startMailCatcher({ directory }: { directory: string }): Promise<MailCatcher> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, callback) {
      // A start does without.
      import('mailparser')
        .then(({ simpleParser }) => simpleParser(stream))
        .then((mail) =>
          keep(directory, {
            id: randomUUID(),
            messageId: mail.messageId ?? '',
            receivedAt: new Date().toISOString(),
            from: mail.from?.text ?? '',
            replyTo: mail.replyTo?.text ?? '',
            to: [mail.to ?? []]
              .flat()
              .map((address) => address.text)
              .join(', '),
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            html: mail.html || '',
          }),
        )
        .then(
          () => callback(),
          (error: Error) => callback(error),
        );
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailbox: mailboxOf(directory),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Written, synced, named: a mail that was accepted is there. */
async function keep(directory: string, mail: CaughtMail): Promise<void> {
  const temporary = join(directory, `.${mail.id}`);
  const file = await open(temporary, 'wx', 0o600);
  await file.writeFile(JSON.stringify(mail));
  await file.sync();
  await file.close();
  await rename(temporary, join(directory, `${mail.id}.json`));
}

function mailboxOf(directory: string): Mailbox {
  const pathOf = (id: string) => join(directory, `${id.replace(/[^0-9a-f-]/g, '')}.json`);
  const read = (path: string) =>
    readFile(path, 'utf8').then(
      (text) => JSON.parse(text) as CaughtMail,
      () => null,
    );
  return {
    async list() {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.json'));
      const mails = await Promise.all(names.map((name) => read(join(directory, name))));
      return mails.filter((mail) => mail !== null).toSorted((a, b) => b.receivedAt.localeCompare(a.receivedAt));
    },
    get: (id) => read(pathOf(id)),
    remove: (id) => unlink(pathOf(id)).catch(() => {}),
  };
}
