import {
  completeSignature,
  fromBase64,
  PadesError,
  type PadesLevel,
  type PdfInspection,
  type PolicyArtifacts,
  type PreparedSignature,
  type Revision,
  type RevocationSource,
  type SignatureRequest,
  type Signer,
  type TimestampSource,
  type TrustStore,
  type VerificationReport,
} from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { type LaneName } from '../../workers.ts';
import { WorkExceededError } from '../../workers/wire.ts';
import { BlobFault } from '../../storage/blob-store.ts';
import { LeastRecent } from '../../storage/least-recent.ts';
import { withAppearances, withoutOurLetters } from './our-letters.ts';
import type { StoredPart } from './parts-source.ts';
import type {
  admitBytes,
  extendBytes,
  PdfBytes,
  prepareSignatureOf,
  sealBytes,
  SealedRevisions,
  SealOrder,
  SealServices,
  verifyBytes,
} from './stored-pdf.worker.ts';

const engine = new URL('./stored-pdf.worker.ts', import.meta.url);

/** Bytes that are stored, with what is to come behind them. A document file is one. */
export interface StoredPdf {
  parts: readonly StoredPart[];
  tail?: Uint8Array;
}

/** Whose work it is, for the workers' turns. */
export interface Turn {
  lane: LaneName;
  caller: string;
}

/**
 * Of an account's signers, who wait in front of their screens: they have turns of their own beside those of what is prepared and sealed for the
 * account, which may be much (`Lane`). No more than three of its acts run at once (jobs/queue.ts).
 */
export const acting = (ownerId: string): string => `${ownerId} acts`;

/** Files that were admitted by this program, by the hashes of their bytes. */
const ADMITTED_KEPT = 2000;
const admitted = new LeastRecent<true>(ADMITTED_KEPT);
const nameOf = ({ parts }: StoredPdf): string => parts.map(({ blobHash }) => blobHash).join();

const signing = (caller = ''): Turn => ({ lane: 'signing', caller });

/** The same as a worker takes it. */
export function bytesOf(ctx: Ctx, { parts, tail }: StoredPdf): PdfBytes {
  const { dataDir, s3 } = ctx.config;
  return {
    storage: { dataDir, s3 },
    parts: parts.map(({ blobHash, size, offset }) => ({ blobHash, size, offset })),
    tail: tail ?? null,
  };
}

/**
 * Whoever exceeds is told what the engine says of a file that costs far too much. A stored file that a worker found changed is
 * looked at here once more, where the books are kept.
 */
export async function withinBounds<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BlobFault) await ctx.storage.check(error.sha256);
    if (error instanceof WorkExceededError) throw new PadesError('TOO_COMPLEX', 'a worker had to be ended', {}, error);
    throw error;
  }
}

/**
 * The engine's `inspectPdf` and `rehearseSigning`, in a worker: what it answers is signed and verified at the end. Throws the code of
 * whatever cannot be, TOO_COMPLEX when a worker had to be ended, server.busy.
 */
export async function admitStoredPdf(ctx: Ctx, pdf: StoredPdf, maxPages: number, turn: Turn): Promise<PdfInspection> {
  const input = { bytes: bytesOf(ctx, pdf), maxPages };
  const inspection = await withinBounds(ctx, ctx.workers.run<typeof admitBytes>(engine, 'admitBytes', input, turn));
  if (!pdf.tail) admitted.set(nameOf(pdf), true, 1);
  return inspection;
}

/** Whether this program has admitted these very bytes; one of another version, or another node, does not say so. */
export function wasAdmitted(pdf: StoredPdf): boolean {
  return !pdf.tail && admitted.get(nameOf(pdf)) === true;
}

/** The engine's `verifyPdf`, in a worker; what it asks for beyond the file is answered here. */
export function verifyStoredPdf(
  ctx: Ctx,
  pdf: StoredPdf,
  { trust, at, revocations }: { trust: TrustStore; at: Date; revocations: RevocationSource },
  turn: Turn,
): Promise<VerificationReport> {
  const services = { material: (certificates: readonly Uint8Array[]) => revocations.material(certificates) };
  const input = { bytes: bytesOf(ctx, pdf), trust, at };
  return withinBounds(ctx, ctx.workers.run<typeof verifyBytes>(engine, 'verifyBytes', input, { ...turn, services }));
}

/** The engine's `prepareSignature`, in a worker: no key goes there, and what comes back is plain data. */
export function prepareStoredSignature(ctx: Ctx, pdf: StoredPdf, request: SignatureRequest, caller?: string): Promise<PreparedSignature> {
  const input = { bytes: bytesOf(ctx, pdf), request: withAppearances(request, withoutOurLetters) };
  return withinBounds(ctx, ctx.workers.run<typeof prepareSignatureOf>(engine, 'prepareSignatureOf', input, signing(caller)));
}

/** What a second timestamp token may be longer than the first. */
const SLACK = 1024;

/**
 * The engine's `signPdf` in its two steps: the file is read in a worker; the key and the network stay here, where nothing of
 * the file is parsed.
 */
export async function signStoredPdf(
  ctx: Ctx,
  pdf: StoredPdf,
  signer: Signer,
  request: Omit<SignatureRequest, 'certificate' | 'chain' | 'reserve'>,
  signatureTimestamp: TimestampSource | null,
  caller?: string,
): Promise<Revision> {
  const { certificate, chain } = signer;
  const attempt = async (reserve: { reserve?: number }) => {
    const prepared = await prepareStoredSignature(
      ctx,
      pdf,
      {
        timestamped: signatureTimestamp !== null,
        timestampBytes: signatureTimestamp?.tokenBytes,
        ...request,
        ...reserve,
        certificate,
        chain,
      },
      caller,
    );
    const value = await signer.sign(fromBase64(prepared.signedAttributes), prepared.digest);
    return completeSignature(prepared, value, signatureTimestamp ? { signatureTimestamp } : {});
  };
  try {
    return await attempt({});
  } catch (error) {
    const needed = error instanceof PadesError && error.code === 'RESERVE_TOO_SMALL' ? Number(error.details['needed']) : 0;
    if (needed === 0) throw error;
    return attempt({ reserve: needed + SLACK });
  }
}

export interface Sealing {
  signer: Signer;
  request: Omit<SignatureRequest, 'certificate' | 'chain' | 'reserve'>;
  timestamps: TimestampSource | null;
  /** B-LTA follows; see `SealOrder.archive`. */
  archive: { revocations: RevocationSource; at: Date; asksFirst: boolean } | null;
}

/** What a worker needs for a seal, and what it asks for here: the key and the network stay. */
export function sealOrder({ signer, request, timestamps, archive }: Sealing): { order: SealOrder; services: SealServices } {
  const { certificate, chain } = signer;
  const none = (what: string) => Promise.reject(new PadesError('INVALID_PLAN', what));
  let signed = 0;
  return {
    order: {
      request: { ...request, certificate, chain },
      timestamps: timestamps && { tokenBytes: timestamps.tokenBytes, trust: timestamps.trust ?? null },
      archive: archive && { at: archive.at, asksFirst: archive.asksFirst },
    },
    services: {
      // A seal takes one value, and a second where the first found no room. A worker that a file has turned gets no more.
      sign: (data, digest) => ((signed += 1) > 2 ? none('signed twice already') : signer.sign(data, digest)),
      timestamp: (asked) => timestamps?.timestamp(asked) ?? none('no timestamp authority'),
      material: (certificates) => archive?.revocations.material(certificates) ?? none('no archive'),
    },
  };
}

/** The platform's seal and what proves it for years, in a worker that reads the file once. */
export function sealStoredPdf(ctx: Ctx, pdf: StoredPdf, sealing: Sealing, caller?: string): Promise<SealedRevisions> {
  const { order, services } = sealOrder(sealing);
  const input = { ...order, bytes: bytesOf(ctx, pdf) };
  return withinBounds(ctx, ctx.workers.run<typeof sealBytes>(engine, 'sealBytes', input, { ...signing(caller), services }));
}

/** The engine's `extendPdf`, in a worker; timestamps and revocation data are asked for here. */
export function extendStoredPdf(
  ctx: Ctx,
  pdf: StoredPdf,
  level: PadesLevel,
  sources: { timestamps?: TimestampSource | null; revocations: RevocationSource; policyArtifacts?: PolicyArtifacts | null; at?: Date },
  caller?: string,
): Promise<Revision> {
  const { timestamps, revocations, policyArtifacts = null, at } = sources;
  const services = {
    material: (certificates: readonly Uint8Array[]) => revocations.material(certificates),
    timestamp: (request: Uint8Array) =>
      timestamps ? timestamps.timestamp(request) : Promise.reject(new PadesError('INVALID_PLAN', 'no timestamp authority')),
  };
  const input = { bytes: bytesOf(ctx, pdf), level, policyArtifacts, at: at ?? null, tokenBytes: timestamps?.tokenBytes };
  return withinBounds(ctx, ctx.workers.run<typeof extendBytes>(engine, 'extendBytes', input, { ...signing(caller), services }));
}
