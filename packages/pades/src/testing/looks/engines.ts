import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { View } from './oracle.ts';
import type { Drawer } from './picture.ts';
import { pdfium } from './pdfium.ts';
import { chromiumPath, pdfjs } from './pdfjs.ts';
import { ghostscript } from './ghostscript.ts';
import { mupdf, poppler } from './programs.ts';

/** Who shows PDFs here, and who should and is not there. */
export interface Engines {
  readonly views: readonly View[];
  /** Debian packages. */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Debian packages of the engines that do not come from the npm registry, by a program of theirs. */
const needed = { 'poppler-utils': 'pdftocairo', ghostscript: 'gs', chromium: chromiumPath };

/** Everybody at hand; `folder` is for what programs read and write. */
export async function startEngines(folder: string): Promise<Engines> {
  const isThere = (program: string): boolean => (program.startsWith('/') ? existsSync(program) : isInstalled(program));
  const missing = Object.entries(needed).flatMap(([name, program]) => (isThere(program) ? [] : [name]));
  const drawers: Drawer[] = [pdfium()];
  if (!missing.includes('poppler-utils')) drawers.push(poppler(folder));
  if (!missing.includes('ghostscript')) drawers.push(ghostscript(folder));
  if (!missing.includes('chromium')) drawers.push(await pdfjs());
  const views = drawers.flatMap((drawer): View[] => [
    { drawer, medium: 'screen' },
    { drawer, medium: 'print' },
  ]);
  // An outside tool, where somebody has it.
  if (isInstalled('mutool')) views.push({ drawer: mupdf(folder), medium: 'screen' });
  return {
    views,
    missing,
    close: async () => {
      for (const drawer of drawers) await drawer.close();
    },
  };
}
