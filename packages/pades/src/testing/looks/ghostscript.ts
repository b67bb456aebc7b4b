import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxPages, readPictures, scale } from './picture.ts';
import type { Drawer, Drawn, Medium } from './picture.ts';

const usualPatience = 10_000;
const filesUntilFresh = 100;

/** Ghostscript kept running, a file at a time: starting it takes longer than drawing. */
export function ghostscript(folder: string, patience = usualPatience): Drawer {
  const servants = { screen: new Servant(folder, 'screen', patience), print: new Servant(folder, 'print', patience) };
  return {
    name: 'Ghostscript',
    draw: (file, medium) => servants[medium].draw(file),
    close: () => {
      for (const servant of Object.values(servants)) servant.stop();
      return Promise.resolve();
    },
  };
}

class Servant {
  private readonly folder: string;
  private readonly medium: Medium;
  private readonly patience: number;
  private process: ChildProcessWithoutNullStreams | null = null;
  private drawn = 0;
  /** One after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, medium: Medium, patience: number) {
    this.folder = folder;
    this.medium = medium;
    this.patience = patience;
  }

  draw(file: Uint8Array): Promise<Drawn> {
    const turn = this.last.then(() => this.drawNow(file));
    this.last = turn.catch(() => null);
    return turn;
  }

  stop(): void {
    this.process?.kill('SIGKILL');
    this.process = null;
  }

  private async drawNow(bytes: Uint8Array): Promise<Drawn> {
    if (this.drawn++ % filesUntilFresh === 0) this.stop();
    const name = join(this.folder, `gs-${this.medium}-${this.drawn}`);
    const [file, out, mark] = [`${name}.pdf`, `${name}.ppm`, `drawn-${this.drawn}`];
    writeFileSync(file, bytes);
    try {
      this.process ??= this.start();
      const open = `<< /OutputFile (${out}) >> setpagedevice (${file}) (r) file runpdf`;
      const close = '<< /OutputFile (/dev/null) >> setpagedevice';
      const outcome = await this.answer(
        this.process,
        `mark { ${open} } stopped cleartomark mark { ${close} } stopped cleartomark (${mark}) = flush\n`,
        mark,
      );
      if (outcome !== 'done') this.stop();
      if (outcome === 'endless') return outcome;
      return outcome === 'done' && existsSync(out) ? readPictures(readFileSync(out)) : null;
    } finally {
      for (const path of [file, out]) rmSync(path, { force: true });
    }
  }

  private start(): ChildProcessWithoutNullStreams {
    const allowed = [`--permit-file-read=${this.folder}/`, `--permit-file-write=${this.folder}/`, '--permit-file-write=/dev/null'];
    const how = ['-q', '-dSAFER', ...allowed, '-dNOPAUSE', '-dNOPROMPT', `-dLastPage=${maxPages}`, '-sDEVICE=ppmraw', `-r${72 * scale}`];
    const child = spawn('gs', [...how, `-dPrinted=${String(this.medium === 'print')}`, '-sOutputFile=/dev/null']);
    child.stdin.on('error', () => {});
    child.on('error', () => {});
    child.stderr.resume();
    // Nobody waits for one that has gone.
    child.once('exit', () => (this.process = this.process === child ? null : this.process));
    return child;
  }

  private answer(child: ChildProcessWithoutNullStreams, command: string, mark: string): Promise<'done' | 'ended' | 'endless'> {
    return new Promise((resolve) => {
      let told = '';
      const end = (outcome: 'done' | 'ended' | 'endless'): void => {
        clearTimeout(timer);
        child.stdout.off('data', read);
        child.off('close', fail);
        resolve(outcome);
      };
      const fail = (): void => end('ended');
      const read = (chunk: Buffer): void => {
        told = (told + chunk.toString('latin1')).slice(-4096);
        if (told.includes(`${mark}\n`)) end('done');
      };
      const timer = setTimeout(() => end('endless'), this.patience);
      child.stdout.on('data', read);
      child.once('close', fail);
      child.stdin.write(command);
    });
  }
}
