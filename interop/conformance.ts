import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDigitalModel } from '@lavra/domain';
import { extendPdf, memorySource, openPdf, PadesError, readAll, signPdf, withRevision } from '@lavra/pades';
import type { Pdf, Revision, SignatureRequest } from '@lavra/pades';
import { createTranslator } from '../apps/server/src/language/translator.ts';
import { digitalAppearances } from '../apps/server/src/features/signing/digital/appearances.ts';
import { evidenceAppearance, stampAppearance } from '../apps/server/src/features/signing/electronic/appearances.ts';
import { prepareDocument } from '../apps/server/src/features/signing/prepare-document.worker.ts';
import { fieldNames } from '../apps/server/src/paper/field-names.ts';
import { redPng } from '../packages/pades/src/testing/red-png.ts';
import { conformingInputs, type ConformingInput } from './conforming-inputs.ts';
import type { Case, Claim } from './manifest.ts';
import { makeWorld, type MatrixWorld } from './matrix-world.ts';

/** What became of one conforming file, step by step. */
export interface Kept {
  readonly name: string;
  readonly flavours: readonly string[];
  readonly isOwn: boolean;
  readonly steps: readonly { readonly step: string; readonly file: string }[];
}

const documentId = '01234567-89ab-4cde-8f01-23456789abcd';
const names = fieldNames(documentId);
const localesDir = join(import.meta.dirname, '../locales');
/** One page does not hold them all: the signature pages go on. */
const people = ['Beatriz Conceição', 'João Łukasz Nóbrega', 'Rui', 'Ana', 'Eva', 'Ivo', 'Noé'];
const drawn = redPng(80);

/** A tagged form is reached by two ways; what is filled on the way of the structure (Form, OBJR, field, V) has no rule there. */
export const dssOnTags = {
  'EU DSS': { objection: 'changes', reason: 'takes values of fields that it reaches through the structure tree for undefined changes' },
} as const;

/**
 * Files that conform, through everything that the product does to them: prepared with boxes, hidden signatures and signature pages;
 * signed in the digital and the electronic look, seen and unseen; sealed; kept for years, twice.
 */
export async function makeConforming(folder: string): Promise<{ kept: Kept[]; forOthers: Case }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'steps'), { recursive: true });
  const world = await makeWorld();
  const kept: Kept[] = [];
  const claims: Claim[] = [];
  for (const input of await conformingInputs()) {
    const steps: { step: string; file: string }[] = [];
    const note = (step: string, bytes: Uint8Array): void => {
      const file = join(folder, 'steps', `${input.name}.${steps.length}-${step}.pdf`);
      writeFileSync(file, bytes);
      steps.push({ step, file });
    };
    note('as it came', input.bytes);
    const last = await throughEverything(input, world, note).catch((error: unknown) => leftOut(input, error));
    if (last === null) continue;
    kept.push({ name: input.name, flavours: input.flavours, isOwn: input.isOwn, steps });
    if (!input.isOwn) continue;
    const file = `${input.name}.pdf`;
    writeFileSync(join(folder, file), last);
    claims.push({
      file,
      level: 'B-LTA',
      baseline: 'B-LTA',
      policy: '',
      key: 'P-256',
      kind: input.flavours.join(' and '),
      refusals: input.isTagged ? dssOnTags : {},
    });
  }
  return { kept, forOthers: { folder, claims, roots: world.roots, lists: [] } };
}

/** Of the corpus, a file whose own signatures do not hold is refused, as at every upload. */
function leftOut({ name, isOwn }: ConformingInput, error: unknown): null {
  if (isOwn || !(error instanceof PadesError) || error.code !== 'NOT_VERIFIABLE') throw error;
  process.stdout.write(`${name}: refused (${error.message})\n`);
  return null;
}

async function throughEverything(
  input: ConformingInput,
  world: MatrixWorld,
  note: (step: string, bytes: Uint8Array) => void,
): Promise<Uint8Array> {
  const signAs = async (base: Uint8Array, request: Pick<SignatureRequest, 'field' | 'appearance' | 'fills'>) =>
    append(base, (pdf) =>
      signPdf(pdf, world.signers['P-256'], { ...request, signingTime: new Date(), signatureTimestamp: world.timestamps }),
    );
  const extended = (base: Uint8Array) =>
    append(base, (pdf) => extendPdf(pdf, 'B-LTA', { timestamps: world.timestamps, revocations: world.revocations, at: new Date() }));
  let file = await prepared(input);
  note('prepared', file);
  const { digital, electronic, plain } = looks();
  for (const [index, { step, stamp, block }] of [digital, electronic, plain].entries()) {
    const evidence = { field: names.evidence(index), value: block.text, appearance: block };
    const box = { field: names.box(index, 0), value: stamp.text, appearance: stamp };
    const fills = input.isSigned ? [] : [evidence, ...(index < 2 ? [box] : [])];
    // Who placed no box signs unseen, and has their evidence on the page.
    file = await signAs(file, { field: names.signature(index), fills, ...(index < 2 ? { appearance: stamp } : {}) });
    note(step, file);
  }
  file = await signAs(file, { field: names.seal });
  note('sealed', file);
  file = await extended(file);
  note('B-LTA', file);
  file = await extended(file);
  note('B-LTA again', file);
  return file;
}

async function prepared({ bytes }: ConformingInput): Promise<Uint8Array> {
  const box = (index: number, row: number, isRealSignature: boolean) => ({
    id: `${index}-${row}`,
    page: 1,
    rect: null,
    x: 40 + index * 130,
    y: 40 + row * 90,
    width: 120,
    height: 75,
    isRealSignature,
  });
  const signers = people.map((name, index) => ({
    id: String(index),
    name,
    email: `s${index}@exemplo.com.br`,
    cnpj: index === 0 ? '12ABC34501DE35' : null,
    boxes: index > 1 ? [] : [box(index, 0, true), box(index, 1, false)],
  }));
  const { revision } = await prepareDocument({
    bytes: { storage: { dataDir: import.meta.dirname, s3: null }, parts: [], tail: bytes },
    isAdmitted: false,
    signers,
    pages: {
      processTitle: 'Arquivo permanente',
      documentName: 'contrato.pdf',
      documentId,
      sha256: 'ab'.repeat(32),
      pageCount: 1,
      isLandscape: false,
      verificationUrl: `https://lavra.exemplo/validateLogin?docId=${documentId}`,
      signers,
      letterhead: { name: 'Padaria São Bento Ltda', cnpj: '12ABC34501DE35', color: '#7a1f3d', logo: drawn },
      modality: 'electronic',
      locale: 'pt-br',
      localesDir,
    },
  });
  return new Uint8Array(Buffer.concat([bytes, revision]));
}

/** What signers' boxes show in the product. */
function looks() {
  const translate = createTranslator(localesDir);
  const at = new Date();
  const facts = {
    name: people[1] ?? '',
    cpf: '12345678909',
    email: 'rui@exemplo.com.br',
    ip: '127.0.0.1',
    channel: 'mailed' as const,
    at,
    image: drawn,
  };
  const place = { latitude: -23.5, longitude: -46.6, accuracy: 12, certificateSerial: '0A0B', cpfConfirmedBy: 'gov.br' };
  const holder = { kind: 'person', name: people[0] ?? '', cpf: '12345678909', type: 'A3' } as never;
  const model = { ...defaultDigitalModel, textFont: 'COURIER' as const };
  const { name: _name, cpf: _cpf, ...rest } = facts;
  const digital = digitalAppearances({ ...rest, holder, issuer: 'AC Exemplo', serial: '0A0B', model }, 'pt-br', translate);
  const stamp = stampAppearance({ ...facts, ...place }, 'pt-br', translate);
  const block = evidenceAppearance({ ...facts, ...place }, 'pt-br', translate);
  // In a standard font by its name and in a colour, as callers of the library may ask for.
  const rui = { text: 'Rui', font: 'TIMES_ROMAN' as const, color: [0.1, 0.2, 0.6] as const };
  return {
    digital: { step: 'digital', ...digital },
    electronic: { step: 'electronic', stamp, block },
    plain: { step: 'unseen', stamp: rui, block: rui },
  };
}

async function append(base: Uint8Array, revise: (pdf: Pdf) => Promise<Revision>): Promise<Uint8Array> {
  const source = memorySource(base);
  return readAll(withRevision(source, await revise(await openPdf(source))));
}

/** veraPDF's word on each file: nothing when it conforms to that part and level. */
export function askVeraPdf(classPath: string, asked: readonly { flavour: string; file: string }[]): string[] {
  const input = asked.map(({ flavour, file }) => `${flavour}\t${file}\n`).join('');
  const done = spawnSync('java', ['-cp', classPath, 'ConformanceJudge'], { input, encoding: 'utf8', maxBuffer: 1 << 26, timeout: 900_000 });
  const answers = done.stdout.split('\n').slice(0, -1);
  if (done.status !== 0 || answers.length !== asked.length) throw new Error(`veraPDF's judge ended early: ${done.stderr}`);
  return answers;
}

/** Every file that conformed when it came conforms after every step. */
export function judgedByVeraPdf(classPath: string, kept: readonly Kept[]): boolean {
  const asked = kept.flatMap(({ name, flavours, isOwn, steps }) =>
    flavours.flatMap((flavour) => steps.map(({ step, file }, index) => ({ name, isOwn, flavour, step, file, isFirst: index === 0 }))),
  );
  const answers = askVeraPdf(classPath, asked);
  const told = asked.map((one, index) => ({ ...one, broken: answers[index] ?? 'not judged' }));
  const never = new Set(told.filter(({ isFirst, broken }) => isFirst && broken !== '').map(({ name, flavour }) => `${name} ${flavour}`));
  const faults = told.filter(({ name, flavour, isOwn, broken }) => broken !== '' && (isOwn || !never.has(`${name} ${flavour}`)));
  for (const { name, flavour, step, broken } of faults) process.stdout.write(`  ${name} (${flavour}) ${step}: ${broken}\n`);
  if (never.size > 0) process.stdout.write(`  claimed, and not true before: ${[...never].join(', ')}\n`);
  const good = told.filter(({ broken }) => broken === '').length;
  process.stdout.write(`veraPDF: ${good} conform${faults.length > 0 ? `, ${faults.length} do NOT` : ''}\n`);
  return faults.length === 0;
}
