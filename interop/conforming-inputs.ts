import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { inspectPdf, memorySource, openPdf } from '@lavra/pades';
import { conformingPdf } from '../packages/pades/src/testing/conforming.ts';

/** A file, and the parts and levels that it claims, as veraPDF calls them. */
export interface ConformingInput {
  readonly name: string;
  readonly flavours: readonly string[];
  readonly bytes: Uint8Array;
  /** Ours have to conform; of the corpus, those that do are taken. */
  readonly isOwn: boolean;
  readonly isSigned: boolean;
  readonly isTagged: boolean;
}

/** sRGB as pdfkit brings it. */
const rgb = {
  components: 3,
  bytes: read(join(dirname(createRequire(import.meta.url).resolve('pdfkit')), 'data/sRGB_IEC61966_2_1.icc')),
} as const;
const profiles = '/usr/share/color/icc/ghostscript';

function read(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

/** Every part and level that we know, with and without an output intent, tagged in several ways. */
function ownFiles(): Record<string, Parameters<typeof conformingPdf>[0]> {
  const cmyk = existsSync(profiles) ? ({ components: 4, bytes: read(join(profiles, 'default_cmyk.icc')) } as const) : null;
  const gray = existsSync(profiles) ? ({ components: 1, bytes: read(join(profiles, 'default_gray.icc')) } as const) : null;
  return {
    'PDF-A-1b': { pdfA: { part: 1, level: 'B' }, intent: rgb },
    'PDF-A-1b-without-intent': { pdfA: { part: 1, level: 'B' } },
    'PDF-A-1a': { pdfA: { part: 1, level: 'A' }, intent: rgb },
    'PDF-A-2b': { pdfA: { part: 2, level: 'B' }, intent: rgb, form: 'stream' },
    'PDF-A-2b-without-intent': { pdfA: { part: 2, level: 'B' } },
    'PDF-A-2u': { pdfA: { part: 2, level: 'U' }, intent: rgb },
    'PDF-A-2a-root-with-kids': { pdfA: { part: 2, level: 'A' }, intent: rgb, flat: true },
    'PDF-A-3b': { pdfA: { part: 3, level: 'B' }, intent: rgb, form: 'stream' },
    'PDF-A-3a-PDF-UA-1': { pdfA: { part: 3, level: 'A' }, pdfUa: 1, intent: rgb },
    'PDF-A-4': { pdfA: { part: 4, level: null }, intent: rgb, form: 'stream' },
    'PDF-A-4-without-intent': { pdfA: { part: 4, level: null }, form: 'stream' },
    'PDF-A-4f': { pdfA: { part: 4, level: 'F' }, intent: rgb, form: 'stream' },
    'PDF-UA-1': { pdfUa: 1 },
    'PDF-UA-1-tree-of-kids': { pdfUa: 1, treeOfKids: true, form: 'stream' },
    'PDF-UA-2': { pdfUa: 2, form: 'stream' },
    ...(cmyk === null
      ? {}
      : {
          'PDF-A-1b-CMYK': { pdfA: { part: 1, level: 'B' }, intent: cmyk },
          'PDF-A-2a-CMYK': { pdfA: { part: 2, level: 'A' }, intent: cmyk },
          'PDF-A-4-CMYK': { pdfA: { part: 4, level: null }, intent: cmyk, form: 'stream' },
        }),
    ...(gray === null ? {} : { 'PDF-A-1b-gray': { pdfA: { part: 1, level: 'B' }, intent: gray } }),
  };
}

/** What a file's metadata claim, as veraPDF calls it. */
async function claimsOf(bytes: Uint8Array): Promise<Pick<ConformingInput, 'flavours' | 'isSigned' | 'isTagged'> | null> {
  try {
    const { conformance, signatures, refusal, tagged } = await inspectPdf(await openPdf(memorySource(bytes)), { maxPages: 1 });
    const { pdfA, pdfUa } = conformance;
    const flavours = [...(pdfA ? [`${pdfA.part}${(pdfA.level ?? '').toLowerCase()}`] : []), ...(pdfUa ? [`ua${pdfUa}`] : [])];
    if (refusal !== null || flavours.length === 0) return null;
    return { flavours, isSigned: signatures.some(({ signed }) => signed), isTagged: tagged };
  } catch {
    return null;
  }
}

export async function conformingInputs(): Promise<ConformingInput[]> {
  const inputs: ConformingInput[] = [];
  const own = Object.entries(ownFiles()).map(([name, parts]) => ({ name, bytes: conformingPdf(parts), isOwn: true }));
  if (!existsSync(profiles)) process.stdout.write(`no colour profiles at ${profiles} (ghostscript): no files for CMYK or gray\n`);
  for (const file of [...own, ...corpusFiles()]) {
    const claims = await claimsOf(file.bytes);
    if (claims !== null) inputs.push({ ...file, ...claims });
    else if (file.isOwn) throw new Error(`${file.name} claims nothing`);
  }
  return inputs;
}

function corpusFiles(): { name: string; bytes: Uint8Array; isOwn: boolean }[] {
  const corpus = process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../shared/corpus');
  const folders = ['pdfs', 'signed'].map((part) => join(corpus, part)).filter((folder) => existsSync(folder));
  if (folders.length === 0) process.stdout.write(`no corpus at ${corpus} (LAVRA_CORPUS): its conforming files are left out\n`);
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.pdf'))
      .map((file) => ({ name: `corpus-${file.slice(0, -4).replaceAll(/[^\w.-]+/g, '_')}`, bytes: read(join(folder, file)), isOwn: false })),
  );
}

/** What the product itself is given: the strictest of all. */
export function conformingForStory(): ConformingInput {
  const bytes = conformingPdf({ pdfA: { part: 3, level: 'A' }, pdfUa: 1, intent: rgb });
  return { name: 'the main story', flavours: ['3a', 'ua1'], bytes, isOwn: true, isSigned: false, isTagged: true };
}
