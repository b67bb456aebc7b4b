import {
  askForMaterial,
  type DigestName,
  extendPdf,
  inspectPdf,
  openPdf,
  openRevised,
  PadesError,
  type PadesLevel,
  type Pdf,
  type PdfInspection,
  type PdfSource,
  type PolicyArtifacts,
  type PreparedSignature,
  prepareSignature,
  rehearseSigning,
  type Revision,
  type SignatureRequest,
  signPdf,
  type TrustStore,
  type ValidationMaterial,
  type VerificationReport,
  verifyPdf,
} from '@lavra/pades';
import type { BlobStore } from '../../storage/blob-store.ts';
import { openStorage, type StorageSettings } from '../../storage/open-storage.ts';
import { inOurLetters, withAppearances } from './our-letters.ts';
import { partsSource, type StoredPart } from './parts-source.ts';

/** A file's bytes as a worker finds them: blobs one behind the other, and what is not stored yet behind them. */
export interface PdfBytes {
  storage: StorageSettings;
  parts: readonly StoredPart[];
  tail: Uint8Array | null;
}

/** Answered by the main program: its lists, its network. */
export interface MaterialService {
  material(certificates: readonly Uint8Array[]): Promise<ValidationMaterial>;
}

export interface ExtensionServices extends MaterialService {
  timestamp(request: Uint8Array): Promise<Uint8Array>;
}

const stores = new Map<string, Promise<BlobStore>>();

/** What a worker reads a file from. */
export async function sourceOf({ storage, parts, tail }: PdfBytes): Promise<PdfSource> {
  const key = JSON.stringify(storage);
  const opening = stores.get(key) ?? openStorage(storage);
  stores.set(key, opening);
  return partsSource(await opening, parts, tail);
}

export async function openBytes(bytes: PdfBytes): Promise<Pdf> {
  return openPdf(await sourceOf(bytes));
}

export async function admitBytes({ bytes, maxPages }: { bytes: PdfBytes; maxPages: number }): Promise<PdfInspection> {
  const pdf = await openBytes(bytes);
  const inspection = await inspectPdf(pdf, { maxPages });
  if (inspection.refusal) throw new PadesError(inspection.refusal);
  // Every page takes some bytes: a larger count is made up.
  if (inspection.pageCount > inspection.size) throw new PadesError('DAMAGED');
  await rehearseSigning(pdf);
  return inspection;
}

/** A signature to be prepared; what it shows in our letters does not bring them (`withoutOurLetters`). */
export interface SignatureOrder {
  bytes: PdfBytes;
  request: SignatureRequest;
}

export async function prepareSignatureOf({ bytes, request }: SignatureOrder): Promise<PreparedSignature> {
  return prepareSignature(await openBytes(bytes), withAppearances(request, inOurLetters));
}

export interface ExtensionOrder {
  bytes: PdfBytes;
  level: PadesLevel;
  policyArtifacts: PolicyArtifacts | null;
  at: Date | null;
  /** `TimestampSource.tokenBytes`. */
  tokenBytes: number | undefined;
}

export async function extendBytes(
  { bytes, level, policyArtifacts, at, tokenBytes }: ExtensionOrder,
  services: ExtensionServices,
): Promise<Revision> {
  const { timestamp, material } = services;
  const options = { ...(policyArtifacts ? { policyArtifacts } : {}), ...(at ? { at } : {}) };
  return extendPdf(await openBytes(bytes), level, { timestamps: { timestamp, tokenBytes }, revocations: { material }, ...options });
}

/** A seal of the platform's, and what proves it for years. */
export interface SealOrder {
  /** With the seal's certificate and chain; its key stays in the main program. */
  request: SignatureRequest;
  timestamps: { tokenBytes: number | undefined; trust: TrustStore | null } | null;
  /**
   * B-LTA follows. `asksFirst`: what it needs of outside is had before the seal asks for a timestamp. An outage then costs none,
   * however often the job is tried: tokens are paid for by the piece.
   */
  archive: { at: Date; asksFirst: boolean } | null;
}

export interface SealServices extends ExtensionServices {
  sign(data: Uint8Array, digest: DigestName): Promise<Uint8Array>;
}

export interface SealedRevisions {
  seal: Revision;
  extension: Revision | null;
}

/** Both revisions over one reading of the file. */
export async function sealOpened(
  pdf: Pdf,
  { request, timestamps, archive }: SealOrder,
  { sign, timestamp, material }: SealServices,
): Promise<SealedRevisions> {
  const revocations = archive?.asksFirst ? await askForMaterial(pdf, { material }) : { material };
  const { certificate, chain } = request;
  const { tokenBytes, trust } = timestamps ?? {};
  const source = { timestamp, tokenBytes, ...(trust ? { trust } : {}) };
  const room = { timestamped: timestamps !== null, timestampBytes: tokenBytes };
  const stamped = timestamps ? { signatureTimestamp: source } : {};
  const seal = await signPdf(pdf, { certificate, chain, sign }, { ...room, ...request, ...stamped });
  if (!archive) return { seal, extension: null };
  const sealed = await openRevised(pdf, seal);
  return { seal, extension: await extendPdf(sealed, 'B-LTA', { timestamps: source, revocations, at: archive.at }) };
}

export async function sealBytes({ bytes, ...order }: SealOrder & { bytes: PdfBytes }, services: SealServices): Promise<SealedRevisions> {
  return sealOpened(await openBytes(bytes), order, services);
}

export interface VerificationOrder {
  bytes: PdfBytes;
  trust: TrustStore;
  at: Date;
}

export async function verifyBytes({ bytes, trust, at }: VerificationOrder, { material }: MaterialService): Promise<VerificationReport> {
  return verifyPdf(await openBytes(bytes), { trust, at, revocations: { material } });
}
