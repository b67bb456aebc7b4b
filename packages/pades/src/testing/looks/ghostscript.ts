import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxPages, readPictures, scale } from './picture.ts';
import type { Drawer, Medium, Picture } from './picture.ts';

const patience = 20_000;
const filesUntilFresh = 100;

/** Ghostscript kept running, a file at a time: starting it takes longer than drawing. */
export function ghostscript(folder: string): Drawer {
  const servants = { screen: new Servant(folder, 'screen'), print: new Servant(folder, 'print') };
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
  private process: ChildProcessWithoutNullStreams | null = null;
  private drawn = 0;
  /** One after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, medium: Medium) {
    this.folder = folder;
    this.medium = medium;
  }

  draw(file: Uint8Array): Promise<readonly Picture[] | null> {
    const turn = this.last.then(() => this.drawNow(file));
    this.last = turn.catch(() => null);
    return turn;
  }

  stop(): void {
    this.process?.kill('SIGKILL');
    this.process = null;
  }

  private async drawNow(bytes: Uint8Array): Promise<readonly Picture[] | null> {
    if (this.drawn++ % filesUntilFresh === 0) this.stop();
    const name = join(this.folder, `gs-${this.medium}-${this.drawn}`);
    const [file, out, mark] = [`${name}.pdf`, `${name}.ppm`, `drawn-${this.drawn}`];
    writeFileSync(file, bytes);
    try {
      this.process ??= this.start();
      const open = `<< /OutputFile (${out}) >> setpagedevice (${file}) (r) file runpdf`;
      const close = '<< /OutputFile (/dev/null) >> setpagedevice';
      const done = await this.answer(
        this.process,
        `mark { ${open} } stopped cleartomark mark { ${close} } stopped cleartomark (${mark}) = flush\n`,
        mark,
      );
      if (!done) this.stop();
      return done && existsSync(out) ? readPictures(readFileSync(out)) : null;
    } finally {
      for (const path of [file, out]) rmSync(path, { force: true });
    }
  }

  private start(): ChildProcessWithoutNullStreams {
    const allowed = [`--permit-file-read=${this.folder}/`, `--permit-file-write=${this.folder}/`, '--permit-file-write=/dev/null'];
    const how = ['-q', '-dSAFER', ...allowed, '-dNOPAUSE', '-dNOPROMPT', `-dLastPage=${maxPages}`, '-sDEVICE=ppmraw', `-r${72 * scale}`];
    const child = spawn('gs', [...how, `-dPrinted=${String(this.medium === 'print')}`, '-sOutputFile=/dev/null']);
    child.stdin.on('error', () => {});
    child.stderr.resume();
    return child;
  }

  /** False when it takes too long or ends. */
  private answer(child: ChildProcessWithoutNullStreams, command: string, mark: string): Promise<boolean> {
    return new Promise((resolve) => {
      let told = '';
      const end = (done: boolean): void => {
        clearTimeout(timer);
        child.stdout.off('data', read);
        child.off('exit', fail);
        resolve(done);
      };
      const fail = (): void => end(false);
      const read = (chunk: Buffer): void => {
        told = (told + chunk.toString('latin1')).slice(-4096);
        if (told.includes(`${mark}\n`)) end(true);
      };
      const timer = setTimeout(fail, patience);
      child.stdout.on('data', read);
      child.once('exit', fail);
      child.stdin.write(command);
    });
  }
}
