import { openPdf, PadesError, type PdfSource, type TrustStore, type VerificationReport, verifyPdf } from '@lavra/pades';

/** What the page asks for: a file of this computer, and whom to trust. */
export interface VerifyRequest {
  file: File;
  trust: TrustStore;
  crls: Uint8Array[];
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
  const { file, trust, crls, at } = data;
  try {
    const revocations = { material: () => Promise.resolve({ certificates: [], crls, ocsps: [] }) };
    answer({ report: await verifyPdf(await openPdf(sourceOf(file)), { trust, at, revocations }) });
  } catch (error) {
    answer({ code: error instanceof PadesError ? error.code : 'UNEXPECTED' });
  }
};
