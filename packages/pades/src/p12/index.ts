/**
 * # @lavra/pades/p12
 *
 * A signer's certificate file (.pfx, .p12), in Node and in the browser, where it never leaves the device:
 *
 *     const file = await openCertificateFile(bytes, password);
 *     const revision = await signPdf(pdf, await certificateFileSigner(file), { field, signingTime });
 *     file.privateKeyPkcs8.fill(0);
 *
 * Modern files (PBES2 with AES, PBMAC1) need nothing but Web Crypto; RC2 and triple DES, which old e-CPF and e-CNPJ
 * files use, load node-forge when they are met. Iterations are bounded, but many of them take seconds: open a file in
 * a worker where that matters.
 */
export { certificateFileSigner, openCertificateFile, openCertificateFiles } from './open-certificate-file.ts';
export type { CertificateFile } from './open-certificate-file.ts';
export { ecdsaDer } from './private-key.ts';
