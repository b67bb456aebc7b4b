import { open } from 'node:fs/promises';

/** Writes a file that its owner alone reads, and waits until the disk has it. Its name may be lost until its folder is synced. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
