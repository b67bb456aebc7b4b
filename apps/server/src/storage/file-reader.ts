import fs, { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

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

/** A file that is open, as the system numbers it: Node's own handle of one takes half as long again as all that is done with it. */
export const openNumber = (path: string, flags: string | number, mode?: number): Promise<number> =>
  new Promise((resolve, reject) => {
    fs.open(path, flags, mode, (error, file) => (error ? reject(error) : resolve(file)));
  });

/** Calls that a disk is waited for, by the threads that Node has for it; to close what was read, or forced there, waits for none. */
export const readAside = (file: number, into: Uint8Array, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    fs.read(file, into, 0, into.length, position, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
  });

/** By the threads that Node has for it. */
export const asideReader: FileReader = {
  facts: (path) => stat(path, { bigint: true }),
  async open(path) {
    const file = await openNumber(path, TO_READ);
    try {
      const facts = await new Promise<fs.Stats>((resolve, reject) => {
        fs.fstat(file, (error, found) => (error ? reject(error) : resolve(found)));
      });
      return {
        isFile: facts.isFile(),
        size: facts.size,
        read: (into, position) => readAside(file, into, position),
        close: async () => fs.closeSync(file),
      };
    } catch (error) {
      fs.closeSync(file);
      throw error;
    }
  },
};

/** Beyond it the next piece is worth reading while the last one is worked on. */
const AT_ONCE = 256 * 1024;

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
        read: async (into, position) => (isSmall ? readSync(file, into, 0, into.length, position) : await readAside(file, into, position)),
        close: async () => closeSync(file),
      };
    } catch (error) {
      closeSync(file);
      throw error;
    }
  },
};
