import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxPages, readPictures, scale } from './picture.ts';
import type { Drawer, Drawn, Medium } from './picture.ts';

const resolution = String(72 * scale);
const usualPatience = 10_000;

type Command = readonly [program: string, ...args: string[]];

/** What a program writes to its output; null when it fails. */
function outputOf([program, ...args]: Command, patience: number): Promise<Uint8Array | null | 'endless'> {
  return new Promise((resolve) => {
    const bounds = { timeout: patience, killSignal: 'SIGKILL', maxBuffer: 1 << 26 } as const;
    execFile(program, args, { ...bounds, encoding: 'buffer' }, (error, stdout) => {
      // A code stands there when it wrote too much.
      if (error?.killed === true && typeof error.code !== 'string') resolve('endless');
      // Some complain of a file and show it all the same.
      else resolve(stdout.length > 0 ? stdout : error === null ? new Uint8Array() : null);
    });
  });
}

/** A program that is handed a file; `print` first makes of it what would go to the printer. */
function byProgram(
  name: string,
  folder: string,
  patience: number,
  steps: (medium: Medium, file: string, copy: string) => readonly Command[],
): Drawer {
  let count = 0;
  const draw = async (bytes: Uint8Array, medium: Medium): Promise<Drawn> => {
    const file = join(folder, `${name}-${medium}-${count++}.pdf`);
    const copy = `${file}.out`;
    writeFileSync(file, bytes);
    try {
      let output: Uint8Array | null = null;
      for (const step of steps(medium, file, copy)) {
        const written = await outputOf(step, patience);
        if (written === 'endless') return written;
        output = written;
      }
      return output === null ? null : readPictures(output);
    } finally {
      for (const path of [file, copy]) rmSync(path, { force: true });
    }
  };
  return { name, draw, close: () => Promise.resolve() };
}

/** Poppler prints through cairo: what pdftocairo writes as a PDF is what a printer gets. */
export function poppler(folder: string, patience = usualPatience): Drawer {
  const draw = (file: string): Command => ['pdftoppm', '-r', resolution, '-l', String(maxPages), file];
  const drawer = byProgram('poppler', folder, patience, (medium, file, copy) =>
    medium === 'screen' ? [draw(file)] : [['pdftocairo', '-pdf', '-l', String(maxPages), file, copy], draw(copy)],
  );
  return { ...drawer, jittersOn: 'print' };
}

/** An extra where it is there: its command knows the screen only. */
export function mupdf(folder: string, patience = usualPatience): Drawer {
  const how = ['-q', '-F', 'ppm', '-r', resolution, '-o', '-'];
  return byProgram('MuPDF', folder, patience, (medium, file) =>
    medium === 'screen' ? [['mutool', 'draw', ...how, file, `1-${maxPages}`]] : [],
  );
}
