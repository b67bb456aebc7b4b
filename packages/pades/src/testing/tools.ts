import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ToolResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a program on a file made of `bytes`; code -1 when it is not installed or took longer than 20 s. */
export async function runOn(program: string, parameters: string[], bytes: Uint8Array): Promise<ToolResult> {
  const directory = await mkdtemp(join(tmpdir(), 'pades-'));
  const path = join(directory, 'file.pdf');
  try {
    await writeFile(path, bytes);
    return await new Promise((resolve) => {
      const options = { timeout: 20_000, maxBuffer: 8 << 20, encoding: 'latin1' as const };
      execFile(program, [...parameters, path], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, output: stdout + stderr });
      });
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export async function hasTool(program: string): Promise<boolean> {
  return (await runOn(program, ['--version'], new Uint8Array())).code !== -1;
}

/** How many signatures pdfsig calls valid, and how many cover the whole file. */
export async function pdfsig(bytes: Uint8Array): Promise<{ valid: number; total: number }> {
  const { output } = await runOn('pdfsig', ['-nocert'], bytes);
  const count = (pattern: RegExp): number => output.match(pattern)?.length ?? 0;
  return { valid: count(/Signature is Valid/g), total: count(/Total document signed/g) };
}

/** 0 clean, 3 warnings, 2 errors; and the number of pages, -1 when it cannot tell. */
export async function qpdf(bytes: Uint8Array): Promise<{ code: number; pages: number }> {
  const [check, pages] = await Promise.all([runOn('qpdf', ['--check'], bytes), runOn('qpdf', ['--show-npages'], bytes)]);
  const found = /^(\d+)\s*$/m.exec(pages.output);
  return { code: check.code, pages: found ? Number(found[1]) : -1 };
}
