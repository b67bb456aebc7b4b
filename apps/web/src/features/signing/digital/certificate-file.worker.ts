import { holderOf, PadesError, parseCertificate } from '@lavra/pades';
import { openCertificateFiles } from '@lavra/pades/p12';
import type { OpenAnswer, OpenedCertificate } from './certificate-file.ts';

const answer = (message: OpenAnswer) => postMessage(message);

/** Old files make their keys by thousands of rounds: here they do not stop the page. */
onmessage = async ({ data: { file, password } }: MessageEvent<{ file: File; password: string }>) => {
  try {
    const opened = await openCertificateFiles(new Uint8Array(await file.arrayBuffer()), password);
    answer({
      certificates: opened.map((one): OpenedCertificate => {
        const certificate = parseCertificate(one.certificate);
        return { file: one, name: holderOf(certificate).name, validTo: certificate.notAfter.toISOString() };
      }),
    });
  } catch (error) {
    answer({ code: error instanceof PadesError ? error.code : 'P12_DAMAGED' });
  }
};
