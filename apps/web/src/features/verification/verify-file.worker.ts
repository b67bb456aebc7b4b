import {
  listedRevocations,
  openPdf,
  PadesError,
  type PdfSource,
  streamingCrypto,
  type TrustStore,
  type VerificationReport,
  verifyPdf,
} from '@lavra/pades';
import { listsOfThisSite, type OfferedList } from './lists-of-this-site.ts';

/** What the page asks for: a file of this computer, and whom to trust. */
export interface VerifyRequest {
  file: File;
  trust: TrustStore;
  crls: Uint8Array[];
  /** Lists of other authorities that this site hands out, and where. */
  lists: OfferedList[];
  at: Date;
}

/** The file's SHA-256 comes after the report: nobody waits for it. */
export type VerifyAnswer = { progress: number } | { report: VerificationReport } | { code: string } | { hash: string };

const answer = (message: VerifyAnswer) => postMessage(message);

/** The file is read in pieces where it lies: nothing is uploaded, and its size does not matter. */
function sourceOf(file: File): PdfSource {
  let told = 0;
  return {
    size: file.size,
    async read(offset, length) {
      const end = offset + length;
      if (end - told > file.size / 50) {
        told = end;
        answer({ progress: Math.min(1, end / file.size) });
      }
      return new Uint8Array(await file.slice(offset, end).arrayBuffer());
    },
  };
}

const PIECE = 1 << 20;

async function sha256(file: File): Promise<string> {
  const hash = (await streamingCrypto()).createHash('sha256');
  for (let at = 0; at < file.size; at += PIECE) hash.update(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
  return Array.from(await hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

onmessage = async ({ data }: MessageEvent<VerifyRequest>) => {
  const { file, trust, crls, lists, at } = data;
  try {
    const revocations = listedRevocations(crls, listsOfThisSite(lists));
    answer({ report: await verifyPdf(await openPdf(sourceOf(file)), { trust, at, revocations }) });
    answer({ hash: await sha256(file) });
  } catch (error) {
    answer({ code: error instanceof PadesError ? error.code : 'UNEXPECTED' });
  }
};
