/**
 * No file that is accepted at upload ends as `process.verificationFailed`: files of a corpus, attacks on signed files, files made to be
 * costly, and mutations of them all are taken through the product's own steps (the worker that admits an upload, the one that
 * prepares it with boxes anywhere for two signers, and with none for one, the seal, B-LTA) and verified at the end. Every refusal is fine, at whatever point before
 * somebody signs; whoever signs must be passed.
 *
 *     node bench/accepted.ts [short | minutes] [seed]     mutations from a fresh seed, or from that one on
 *     node bench/accepted.ts one seed                      that mutation alone, as a find names it
 *
 * Files as they are, and mutations of seeds that never change, hold the change at hand to what was true before: exit code 1. What a
 * fresh seed finds is no fault of it: exit code 3.
 *
 * The corpus is LAVRA_CORPUS, or shared/corpus beside the repository; without one, the engine's own bases alone.
 */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createRoot, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import { extendPdf, memorySource, openPdf, PadesError, signPdf, verifyPdf, withRevision } from '@lavra/pades';
import type { DocumentTimestampReport, PdfInspection, PdfSource, SignatureReport, Signer } from '@lavra/pades';
import { admitBytes } from '../apps/server/src/features/documents/stored-pdf.worker.ts';
import { fieldNames } from '../apps/server/src/paper/field-names.ts';
import { prepareDocument } from '../apps/server/src/features/signing/prepare-document.worker.ts';
import { makeBases } from '../packages/pades/src/testing/attacks/bases.ts';
import { drawnWith } from '../packages/pades/src/testing/attacks/mutations.ts';
import { attackWorld } from '../packages/pades/src/testing/attacks/world.ts';
import { throwawaySigner } from '../packages/pades/src/testing/throwaway-signer.ts';
import { hostileFiles } from './hostile-files.ts';

const [mode = '5', given] = process.argv.slice(2);
const isShort = mode === 'short';
const minutes = isShort ? 0.2 : Number(mode);
const seed = Number(given ?? Math.floor(Math.random() * 1e9));
const pinned = { seed: 20_261_122, turns: 40 };
const corpus = process.env['LAVRA_CORPUS'] ?? resolve(import.meta.dirname, '../../shared/corpus');
const dataDir = mkdtempSync(join(tmpdir(), 'lavra-accepted-'));
const localesDir = resolve(import.meta.dirname, '../locales');
/** Mutating costs a copy for each step. */
const largest = 1 << 20;
const leastFresh = 12;

const both: readonly Signer[] = [throwawaySigner('Ana'), throwawaySigner('Rui')];
const root = await createRoot('Raiz');
const authority = await issueTimestampCertificate(root, 'Carimbo');
const stamp = timestampAuthority({
  certificate: new Uint8Array(authority.certificate.rawData),
  chain: [],
  key: await privateKeyOf(authority),
});
const timestamps = { timestamp: (request: Uint8Array) => Promise.resolve(stamp(request)) };
const revocations = { material: () => Promise.resolve({ certificates: [], crls: [Uint8Array.of(0x30, 0x03, 2, 1, 7)], ocsps: [] }) };

const untrusted = new Set(['CHAIN_UNTRUSTED', 'CHAIN_INCOMPLETE']);

type Boxes = Parameters<typeof prepareDocument>[0]['signers'][number]['boxes'];

/** Boxes where a creator may put them: any page, over anything. */
function boxesOn({ pages }: PdfInspection, index: number, chance: () => number) {
  const on = (isRealSignature: boolean, number: number) => {
    const page = Math.min(pages.length, 1 + Math.floor(chance() * pages.length));
    const [x0, y0, x1, y1] = pages[page - 1]?.visibleBox ?? [0, 0, 100, 100];
    const at = { x: x0 + chance() * (x1 - x0) * 0.8, y: y0 + chance() * (y1 - y0) * 0.8 };
    return { id: `b${index}${number}`, page, ...at, width: 90, height: 45, isRealSignature };
  };
  return [on(true, 0), on(false, 1), on(false, 2)];
}

/**
 * Null: refused before anybody signed. Else what our verifier has against the finished file; empty when nothing. Without boxes there is no
 * rehearsal but that of the upload.
 */
async function outcomeOf(
  original: Uint8Array,
  signers: readonly Signer[],
  boxes: ((pages: PdfInspection, index: number) => Boxes) | null,
): Promise<string[] | null> {
  const bytes = { storage: { dataDir, s3: null }, parts: [], tail: original };
  const documentId = 'a0b1c2d3-0000-4000-8000-000000000000';
  let inspection: PdfInspection;
  let prepared: Awaited<ReturnType<typeof prepareDocument>>;
  try {
    inspection = await admitBytes({ bytes, maxPages: 2000 });
    const boxed = inspection;
    prepared = await prepareDocument({
      bytes,
      isAdmitted: true,
      signers: signers.map((_, index) => ({ id: `s${index}`, name: `Pessoa ${index}`, boxes: boxes?.(boxed, index) ?? [] })),
      pages: {
        processTitle: 'Ensaio',
        documentName: 'ensaio.pdf',
        documentId,
        sha256: '0'.repeat(64),
        pageCount: inspection.pageCount,
        isLandscape: false,
        verificationUrl: 'https://exemplo.com.br',
        signers: signers.map((_, index) => ({ name: `Pessoa ${index}`, email: 'p@exemplo.com.br', cnpj: null })),
        letterhead: null,
        modality: 'electronic',
        locale: 'pt-br',
        localesDir,
      },
    });
  } catch (error) {
    if (error instanceof PadesError) return null;
    throw error;
  }
  const base = memorySource(original);
  const file = withRevision(base, { offset: base.size, bytes: prepared.revision });
  const finished = await sign(file, signers, documentId, prepared).catch((error: unknown) => [String(error)]);
  return Array.isArray(finished) ? finished : judge(base, finished, signers.length + 2);
}

async function sign(
  prepared: PdfSource,
  signers: readonly Signer[],
  documentId: string,
  { signatureFields, boxFields, isPageApart }: Awaited<ReturnType<typeof prepareDocument>>,
): Promise<PdfSource> {
  const names = fieldNames(documentId);
  const appearance = { text: 'Assinado eletronicamente' };
  const at = { signingTime: new Date(), signatureTimestamp: timestamps };
  let file = prepared;
  for (const [index, signer] of signers.entries()) {
    const own = boxFields.filter(({ placementId }) => placementId.startsWith(`b${index}`)).map(({ name }) => name);
    const evidence = isPageApart ? [] : [names.evidence(index)];
    const fills = [...own, ...evidence].map((field) => ({ field, value: 'x', appearance }));
    const field = signatureFields[index]?.name ?? '';
    file = withRevision(file, await signPdf(await openPdf(file), signer, { ...at, field, appearance, fills }));
  }
  file = withRevision(file, await signPdf(await openPdf(file), throwawaySigner('Lavra'), { ...at, field: names.seal }));
  return withRevision(file, await extendPdf(await openPdf(file), 'B-LTA', { timestamps, revocations, at: new Date() }));
}

/** As `judge-finished.ts` does, with nobody trusted. */
async function judge(original: PdfSource, finished: PdfSource, expected: number): Promise<string[]> {
  const verdicts = async (source: PdfSource) => {
    const { signatures, documentTimestamps } = await verifyPdf(await openPdf(source), {
      trust: { anchors: [], intermediates: [] },
      at: new Date(),
    });
    return [...signatures, ...documentTimestamps];
  };
  const now = await verdicts(finished);
  const before = await verdicts(original);
  const known = new Set(before.flatMap(fieldsOf));
  const isOwn = (one: (typeof now)[number]) => !fieldsOf(one).some((field) => known.has(field));
  const own = now.filter(isOwn);
  const missing = own.length === expected ? [] : ['MISSING'];
  const held = own.flatMap(({ reasons }) => reasons.filter((reason) => !untrusted.has(reason)));
  const failed = (all: typeof now) => all.filter((one) => !isOwn(one) && one.indication === 'TOTAL-FAILED').length;
  return [...missing, ...held, ...(failed(now) > failed(before) ? ['BROKEN_BY_US'] : [])];
}

function fieldsOf(one: SignatureReport | DocumentTimestampReport): readonly string[] {
  return one.kind === 'signature' ? one.fields : [one.field ?? ''];
}

function* corpusFiles(): Generator<readonly [string, Uint8Array]> {
  for (const part of ['signed', 'attacks', 'needappearances', 'pdfs']) {
    const folder = join(corpus, part);
    if (!existsSync(folder)) continue;
    const names = readdirSync(folder).filter((one) => one.endsWith('.pdf'));
    // A seed means the same file everywhere.
    for (const name of names.toSorted()) yield [`${part}/${name}`, new Uint8Array(readFileSync(join(folder, name)))];
  }
}

/** Numbers below one, the same for the same seed. */
function chancesOf(chances: readonly number[]): () => number {
  let next = 0;
  return () => chances[next++ % chances.length] ?? 0;
}

const counts = { refused: 0, passed: 0, mutations: 0 };
let finds = 0;
async function take(name: string, bytes: Uint8Array, chance: () => number): Promise<void> {
  const boxed = await outcomeOf(bytes, both, (inspection, index) => boxesOn(inspection, index, chance));
  const plain = await outcomeOf(bytes, both.slice(0, 1), null);
  for (const [how, outcome] of Object.entries({ 'with boxes': boxed, plain })) {
    if (outcome === null) counts.refused += 1;
    else if (outcome.length === 0) counts.passed += 1;
    else {
      const path = join(tmpdir(), `lavra-accepted-${finds++}.pdf`);
      writeFileSync(path, bytes);
      console.log(`accepted and then not passed, ${how}: ${name}: ${outcome.join()} (${path})`);
    }
  }
}

const bases = Object.entries(await makeBases(await attackWorld()));
const files = [...corpusFiles()];
const small = [...bases, ...files].filter(([, bytes]) => bytes.length <= largest);

async function takeMutation(own: number): Promise<void> {
  const { steps, which, chances } = drawnWith(own);
  const [name, bytes] = small[which % small.length] ?? ['', new Uint8Array()];
  const mutated = steps.reduce((all, step) => step.apply(all), bytes);
  counts.mutations += 1;
  await take(`seed ${own}: ${name}, ${steps.map((step) => step.name).join(', then ')}`, mutated, chancesOf(chances));
}

if (mode === 'one') await takeMutation(seed);
else {
  const { chances } = drawnWith(pinned.seed);
  for (const [name, make] of await hostileFiles.all(isShort)) await take(name, await make(), chancesOf(chances));
  if (!isShort) for (const [name, bytes] of files) await take(name, bytes, chancesOf(chances));
  for (let turn = 0; turn < pinned.turns; turn += 1) await takeMutation(pinned.seed + turn);
}
const known = finds;
if (mode !== 'one') {
  const until = Date.now() + minutes * 60_000;
  // A busy machine gets through some all the same.
  for (let turn = 0; turn < leastFresh || Date.now() < until; turn += 1) await takeMutation(seed + turn);
}
rmSync(dataDir, { recursive: true, force: true });
const { passed, refused, mutations } = counts;
console.log(`seed ${seed}: ${passed} signed and passed, ${refused} refused before anybody signed, ${mutations} of them mutations`);
if (finds > 0)
  console.log(`${finds} accepted and then not passed, ${finds - known} of them by fresh seeds: node bench/accepted.ts one SEED`);
process.exit(known > 0 ? 1 : finds > 0 ? 3 : 0);
