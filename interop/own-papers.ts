import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendPdf, memorySource, openPdf, readAll, signPdf, withRevision } from '@lavra/pades';
import type { Pdf, Revision } from '@lavra/pades';
import { evidenceAppearance } from '../apps/server/src/features/signing/electronic/appearances.ts';
import { createTranslator, type Locale } from '../apps/server/src/language/translator.ts';
import { drawEvidenceReport } from '../apps/server/src/paper/evidence-report.worker.ts';
import { drawSignaturePageApart } from '../apps/server/src/paper/signature-page-apart.worker.ts';
import { putBytes } from '../apps/server/src/storage/blob-store.ts';
import { openStorage } from '../apps/server/src/storage/open-storage.ts';
import { redPng } from '../packages/pades/src/testing/red-png.ts';
import type { Kept } from './conformance.ts';
import { makeWorld } from './matrix-world.ts';

const documentId = '01234567-89ab-4cde-8f01-23456789abcd';
const hash = 'ab'.repeat(32);
const localesDir = join(import.meta.dirname, '../locales');
const picture = redPng(80);
const letterhead = { name: 'Padaria São Bento Ltda', cnpj: '12ABC34501DE35', color: '#7a1f3d', logo: picture };
const at = new Date();
const person = { cpf: '12345678909', email: 'rui@exemplo.com.br', ip: '127.0.0.1' };

/** What the product prints to stand by itself, in each language: as drawn, sealed, and kept for years. PDF/A-2a at every step. */
export async function makeOwnPapers(folder: string): Promise<Kept[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const kept: Kept[] = [];
  const papers: [string, Uint8Array][] = [];
  for (const locale of ['pt-br', 'en', 'es'] as const) {
    papers.push([`evidence report (${locale})`, await report(folder, locale)]);
    for (const isLandscape of [false, true])
      papers.push([`signature page (${locale}${isLandscape ? ', landscape' : ''})`, await pageApart(locale, isLandscape)]);
  }
  for (const [name, drawn] of papers) kept.push({ name, flavours: ['2a'], isOwn: true, steps: await throughSeal(folder, name, drawn) });
  return kept;
}

async function throughSeal(folder: string, name: string, drawn: Uint8Array): Promise<{ step: string; file: string }[]> {
  const world = await makeWorld();
  const { timestamps, revocations } = world;
  const steps: { step: string; file: string }[] = [];
  const note = (step: string, bytes: Uint8Array): Uint8Array => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.${steps.length}.pdf`);
    writeFileSync(file, bytes);
    steps.push({ step, file });
    return bytes;
  };
  note('drawn', drawn);
  const seal = { field: { name: 'lavra_selo' }, name: 'Lavra', signingTime: at, signatureTimestamp: timestamps };
  const sealed = note('sealed', await append(drawn, (pdf) => signPdf(pdf, world.signers['P-256'], seal)));
  note('B-LTA', await append(sealed, (pdf) => extendPdf(pdf, 'B-LTA', { timestamps, revocations, at: new Date() })));
  return steps;
}

async function append(base: Uint8Array, revise: (pdf: Pdf) => Promise<Revision>): Promise<Uint8Array> {
  const source = memorySource(base);
  return readAll(withRevision(source, await revise(await openPdf(source))));
}

function pageApart(locale: Locale, isLandscape: boolean): Promise<Uint8Array> {
  const names = ['Beatriz Conceição', 'João Łukasz Nóbrega', 'Rui', 'Ana', 'Eva', 'Ivo', 'Noé'];
  const translate = createTranslator(localesDir);
  const facts = { ...person, at, channel: 'mailed' as const, cpfConfirmedBy: 'gov.br', certificateSerial: '0A0B', image: picture };
  const place = { latitude: -23.5, longitude: -46.6, accuracy: 12 };
  return drawSignaturePageApart({
    pages: {
      processTitle: 'Arquivo permanente',
      documentName: 'contrato.pdf',
      documentId,
      sha256: hash,
      signedSha256: hash,
      pageCount: 1,
      isLandscape,
      verificationUrl: `https://lavra.exemplo/validateLogin?docId=${documentId}`,
      signers: names.map((name) => ({ name, email: person.email, cnpj: null })),
      letterhead,
      modality: 'electronic',
      locale,
      localesDir,
    },
    blocks: names.map((name) => evidenceAppearance({ ...facts, ...place, name }, locale, translate)),
  });
}

async function report(folder: string, locale: Locale): Promise<Uint8Array> {
  const storage = { dataDir: join(folder, 'data'), s3: null };
  mkdirSync(storage.dataDir, { recursive: true });
  const { sha256: imageHash } = await putBytes(await openStorage(storage), picture);
  const signer = {
    ...person,
    name: 'João Łukasz Nóbrega',
    invitedName: 'João Nóbrega',
    cpfConfirmed: { by: 'gov.br', assurance: 'gold', at },
    cnpj: '12ABC34501DE35',
    signedAt: at,
    isLinkConfirmed: false,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36',
    place: { latitude: -23.5, longitude: -46.6, accuracy: 12 },
    consentText: 'Li e aceito.',
    consentHash: hash,
    certificateFingerprint: hash,
    certificateType: null,
    imageHash,
  };
  return drawEvidenceReport({
    processId: documentId,
    title: 'Arquivo permanente',
    modality: 'electronic',
    verificationUrl: 'https://lavra.exemplo/validateLogin',
    letterhead,
    createdAt: at,
    finishedAt: at,
    documents: [
      { id: documentId, name: 'contrato.pdf', pageCount: 1, originalHash: hash, openedFrom: hash, signedHash: hash, pageHash: hash },
    ],
    signers: [0, 1, 2].map((order) => ({ ...signer, order })),
    events: Array.from({ length: 40 }, () => ({ at, type: 'signer.opened', name: 'Rui', invitedName: null, hash })),
    isChainIntact: true,
    locale,
    localesDir,
    storage,
  });
}
