import { spawn } from 'node:child_process';

/** The system's own opener, without a shell: the address is a single argument.. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address of our own in the user's browser. Resolves false when there is nothing that opens it. */
export function openBrowser(address: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const [command = 'xdg-open', ...args] = openers[platform] ?? [];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
