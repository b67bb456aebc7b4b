import { extendPdf } from '../extend/extend-pdf.ts';
import type { RevocationSource } from '../extend/extend-pdf.ts';
import { openPdf } from '../open-pdf.ts';
import type { Rect } from '../pdf/geometry.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import type { Signer } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { Revision } from '../source.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';

/** Who takes part in the story, and the services around them. */
export interface StoryWorld {
  /** A single-use key and a short-lived certificate that names the signer. */
  readonly signers: readonly { readonly name: string; readonly signer: Signer }[];
  readonly seal: Signer;
  readonly timestamps: TimestampSource;
  readonly revocations: RevocationSource;
  readonly now: () => Date;
  readonly image: Uint8Array;
  readonly fontFile?: Uint8Array;
  /** Extends to B-LTA after every signer, not only at the end: for processes that outlive the certificates. */
  readonly archiveEach?: boolean;
  /** Happens between the last signer and the seal. */
  readonly beforeSeal?: () => Promise<void>;
}

export interface StoryStep {
  readonly step: string;
  readonly bytes: Uint8Array;
}

/**
 * The product's main shape, from an uploaded file to B-LTA: preparation with a signature page, one revision per
 * signer (their box, their other box, their evidence block), the platform's seal, DSS and document timestamp.
 */
export async function tellStory(original: Uint8Array, signaturePage: Uint8Array, world: StoryWorld): Promise<StoryStep[]> {
  const steps: StoryStep[] = [{ step: 'original', bytes: original }];
  const append = async (step: string, revise: (bytes: Uint8Array) => Promise<Revision>): Promise<void> => {
    const current = steps.at(-1)?.bytes ?? original;
    const revision = await revise(current);
    const bytes = await readAll(withRevision(memorySource(current), revision));
    steps.push({ step, bytes });
  };
  await append('prepared', (bytes) => prepare(bytes, signaturePage, world));
  for (const [index, { name, signer }] of world.signers.entries()) {
    await append(`signer${index + 1}`, (bytes) => sign(bytes, index + 1, name, signer, world));
    if (world.archiveEach) await append(`archived${index + 1}`, (bytes) => archive(bytes, world));
  }
  await world.beforeSeal?.();
  await append('sealed', async (bytes) =>
    signPdf(await openPdf(memorySource(bytes)), world.seal, {
      field: 'seal',
      signingTime: world.now(),
      signatureTimestamp: world.timestamps,
    }),
  );
  await append('archived', (bytes) => archive(bytes, world));
  return steps;
}

async function archive(bytes: Uint8Array, world: StoryWorld): Promise<Revision> {
  return extendPdf(await openPdf(memorySource(bytes)), 'B-LTA', {
    timestamps: world.timestamps,
    revocations: world.revocations,
    at: world.now(),
  });
}

function box(x: number, y: number, width = 150, height = 75): Rect {
  return { x, y, width, height };
}

async function prepare(bytes: Uint8Array, signaturePage: Uint8Array, world: StoryWorld): Promise<Revision> {
  const pdf = await openPdf(memorySource(bytes));
  const numbers = world.signers.map((_, index) => index + 1);
  return preparePdf(pdf, {
    appendPages: await openPdf(memorySource(signaturePage)),
    signatureFields: [
      ...numbers.map((n) => ({
        name: `signature${n}`,
        at: { page: 1, rect: box(60 + (n - 1) * 200, 80) },
        tooltip: `Assinatura ${n}`,
      })),
      { name: 'seal' },
    ],
    textFields: numbers.flatMap((n) => [
      { name: `box${n}`, at: { page: 1, rect: box(60 + (n - 1) * 200, 180) } },
      { name: `evidence${n}`, at: { appendedPage: 1, rect: box(60, 650 - n * 100, 470, 80) } },
    ]),
  });
}

async function sign(bytes: Uint8Array, number: number, name: string, signer: Signer, world: StoryWorld): Promise<Revision> {
  const text = `Assinado eletronicamente por:\n${name}\nCPF: 529.982.247-25\n${world.now().toISOString()}`;
  const font = world.fontFile ? { fontFile: world.fontFile } : {};
  const appearance = { text, image: world.image, imagePosition: 'TOP' as const, ...font };
  const evidence = `${text}\nIP: 203.0.113.7\nE-mail: s***@example.com`;
  return signPdf(await openPdf(memorySource(bytes)), signer, {
    field: `signature${number}`,
    name,
    signingTime: world.now(),
    appearance,
    fills: [
      { field: `box${number}`, value: text, appearance },
      {
        field: `evidence${number}`,
        value: evidence,
        appearance: { text: evidence, fontSize: 8, ...font },
      },
    ],
    signatureTimestamp: world.timestamps,
  });
}
