import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** How files are read: whoever reads for many is not to wait for a disk, whoever reads for one has nothing else to do. */
export interface FileReader {
  facts(path: string): Promise<BigIntStats>;
  open(path: string): Promise<OpenFile>;
}

/** As it was when it was opened. */
export interface OpenFile {
  readonly isFile: boolean;
  readonly size: number;
  /** Answers how many bytes it got. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** What is no file (a pipe) must not hold up who opens it, and with him the few threads that all files are read by. */
const TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** By the threads that Node has for it. */
export const asideReader: FileReader = {
  facts: (path) => stat(path, { bigint: true }),
  async open(path) {
    const file = await open(path, TO_READ);
    const facts = await file.stat().catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    return {
      isFile: facts.isFile(),
      size: facts.size,
      read: async (into, position) => (await file.read(into, 0, into.length, position)).bytesRead,
      close: () => file.close(),
    };
  },
};

/** Beyond it the next piece is worth reading while the last one is worked on. */
const AT_ONCE = 256 * 1024;
const readAside = promisify(read);

/**
 * At once, as far as a file is small: for a process that has one task. Handing a small file's five calls to a thread and back takes ten times as
 * long as they do.
 */
export const atOnceReader: FileReader = {
  facts: async (path) => statSync(path, { bigint: true }),
  async open(path) {
    const file = openSync(path, TO_READ);
    try {
      const facts = fstatSync(file);
      const isSmall = facts.size <= AT_ONCE;
      return {
        isFile: facts.isFile(),
        size: facts.size,
        read: async (into, position) =>
          isSmall ? readSync(file, into, 0, into.length, position) : (await readAside(file, into, 0, into.length, position)).bytesRead,
        close: async () => closeSync(file),
      };
    } catch (error) {
      closeSync(file);
      throw error;
    }
  },
};
