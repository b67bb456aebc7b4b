import { listedRevocations, openPdf, PadesError, type PdfSource, type TrustStore, type VerificationReport, verifyPdf } from '@lavra/pades';
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

export type VerifyAnswer = { progress: number } | { report: VerificationReport } | { code: string };

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

onmessage = async ({ data }: MessageEvent<VerifyRequest>) => {
  const { file, trust, crls, lists, at } = data;
  try {
    const revocations = listedRevocations(crls, listsOfThisSite(lists));
    answer({ report: await verifyPdf(await openPdf(sourceOf(file)), { trust, at, revocations }) });
  } catch (error) {
    answer({ code: error instanceof PadesError ? error.code : 'UNEXPECTED' });
  }
};
