import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The system's own opener, without a shell: what is opened is a single argument. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const lifeMilliseconds = 60_000;
const fileName = /^lavra-signer-[\w-]{22}\.html$/;

/**
 * Where the files lie that lead to windows. Browsers that came as a snap see nothing in hidden folders, nor the system's temporary ones: where there are
 * snaps, it is the user's home itself.
 */
export function openingFolder(config: string, hasSnaps: boolean = existsSync('/snap/bin')): string {
  return hasSnaps ? homedir() : config;
}

/** Files of a program that was killed: their secrets are dead, they are litter. */
export function removeOldOpenings(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = fileName.test(name) ? now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) : 0;
    if (age > lifeMilliseconds) rmSync(file, { force: true });
  }
}

export interface Opening {
  /** False when there is nothing that opens it. */
  readonly opened: Promise<boolean>;
  /** Takes the file away; it goes after a minute anyway. */
  done(): void;
}

/**
 * Opens an address of our own in the user's browser. Command lines are read by every user of the computer: what stands there is a file that only
 * this user reads and that leads to the address.
 */
export function openBrowser(address: string, folder: string, platform: NodeJS.Platform = process.platform): Opening {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `lavra-signer-${randomBytes(16).toString('base64url')}.html`);
  writeFileSync(file, leadingTo(address), { mode: 0o600, flag: 'wx' });
  const done = () => rmSync(file, { force: true });
  setTimeout(done, lifeMilliseconds).unref();
  const [command = 'xdg-open', ...args] = openers[platform] ?? [];
  const opened = new Promise<boolean>((resolve) => {
    const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
  return { opened, done };
}

/** The address is ours and has no character that HTML minds. */
function leadingTo(address: string): string {
  return `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Lavra Signer</title>
<p><a href="${address}">Lavra Signer</a></p>
</html>
`;
}
