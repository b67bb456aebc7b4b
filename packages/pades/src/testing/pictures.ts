import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const dots = 36;

/** Ways in which a page is seen: by whom, and on what. */
export const engines: Readonly<Record<string, (file: string, out: string) => readonly [command: string, ...args: string[]]>> = {
  poppler: (file, out) => ['pdftoppm', '-r', String(dots), '-f', '1', '-l', '1', '-singlefile', file, out.replace(/\.ppm$/, '')],
  'ghostscript on screen': (file, out) => ['gs', ...ghostscript(out), '-dPrinted=false', file],
  'ghostscript in print': (file, out) => ['gs', ...ghostscript(out), '-dPrinted=true', file],
  mupdf: (file, out) => ['mutool', 'draw', '-q', '-F', 'ppm', '-r', String(dots), '-o', out, file, '1'],
};

function ghostscript(out: string): string[] {
  return ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dLastPage=1', '-sDEVICE=ppmraw', `-r${dots}`, `-sOutputFile=${out}`];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a dot. */
  readonly dots: Uint8Array;
}

/** The first page as an engine shows it; null when it shows none. */
export async function pictureOf(engine: string, file: string): Promise<Picture | null> {
  const out = `${file}.ppm`;
  const [command, ...args] = engines[engine]?.(file, out) ?? ['false'];
  try {
    await run(command, args, { timeout: 20_000, maxBuffer: 1 << 24 });
    return readPicture(await readFile(out));
  } catch {
    return null;
  } finally {
    await rm(out, { force: true });
  }
}

function readPicture(bytes: Uint8Array): Picture | null {
  const head = /^P6\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'));
  return head === null ? null : { width: Number(head[1]), height: Number(head[2]), dots: bytes.subarray(head[0].length) };
}

/** Dots that differ outside of the boxes, which are in points from the lower left corner. */
export function differences(a: Picture, b: Picture, boxes: readonly (readonly number[])[]): number {
  if (a.width !== b.width || a.height !== b.height) return a.width * a.height;
  const scale = dots / 72;
  let count = 0;
  for (let index = 0; index < a.width * a.height; index++) {
    const at = index * 3;
    const far = [0, 1, 2].some((channel) => Math.abs((a.dots[at + channel] ?? 0) - (b.dots[at + channel] ?? 0)) > 48);
    if (!far) continue;
    const [x, y] = [(index % a.width) / scale, (a.height - Math.floor(index / a.width)) / scale];
    const isClaimed = boxes.some(([x0 = 0, y0 = 0, x1 = 0, y1 = 0]) => x > x0 - 6 && x < x1 + 6 && y > y0 - 6 && y < y1 + 6);
    if (!isClaimed) count++;
  }
  return count;
}
