import { access, readFile, rm } from 'node:fs/promises';
import { readDer } from '../asn1/der.ts';
import { fileSource, writeRevised } from '../node.ts';
import type { FileSource } from '../node.ts';
import type { PdfSource, Revision } from '../source.ts';
import { parseOcspResponse } from '../revocation/ocsp.ts';
import { parseRevocationList } from '../revocation/crl.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { CliError, exitCodes, usageError } from './command.ts';
import type { Options } from './command.ts';
import type { Said } from './texts.ts';

function fileError(path: string, error: unknown): CliError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new CliError('FILE', exitCodes.files, () => `${path}: ${reason}`, error);
}

export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw fileError(path, error);
  }
}

export async function openInput(positionals: readonly string[]): Promise<FileSource> {
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw usageError(({ faults }) => faults.oneFile);
  return fileSource(path).catch((error: unknown) => {
    throw fileError(path, error);
  });
}

/** Refuses before any work when the output is there: nothing is ever overwritten. */
export async function assertFree(path: string): Promise<void> {
  const there = await access(path).then(
    () => true,
    () => false,
  );
  if (there) throw new CliError('OUTPUT_EXISTS', exitCodes.files, ({ faults }) => faults.exists(path));
}

/** Writes base and revision; what was begun and failed is removed. */
export async function writeOutput(path: string, base: PdfSource, revision: Revision): Promise<void> {
  await assertFree(path);
  try {
    await writeRevised(path, base, revision);
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!taken) await rm(path, { force: true });
    throw fileError(path, error);
  }
}

const pemBlock = /-----BEGIN [A-Z0-9 ]+-----([^-]+)-----END/g;

/** DER of every object in these files: PEM with one or several blocks, or DER. */
export async function readObjects(paths: readonly string[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (const path of paths) {
    const bytes = await readBytes(path);
    const blocks = [...Buffer.from(bytes).toString('latin1').matchAll(pemBlock)].map(([, body = '']) => Buffer.from(body, 'base64'));
    const objects = blocks.length > 0 ? blocks.map((block) => new Uint8Array(block)) : [bytes];
    for (const der of objects) {
      try {
        readDer(der);
      } catch (error) {
        throw new CliError('FILE', exitCodes.files, ({ faults }) => faults.neither(path), error);
      }
    }
    found.push(...objects);
  }
  return found;
}

/** DER of the certificates in these files; what is none is refused, not passed over. */
export async function readCertificates(paths: readonly string[]): Promise<Uint8Array[]> {
  return readEach(paths, parseCertificate, ({ faults }) => faults.notCertificate);
}

/** The lists and answers that `--crl` and `--ocsp` name. */
export async function readProofs(options: Options): Promise<{ crls: Uint8Array[]; ocsps: Uint8Array[] }> {
  return {
    crls: await readEach(options.list('crl'), parseRevocationList, ({ faults }) => faults.notRevocationList),
    ocsps: await readEach(options.list('ocsp'), parseOcspResponse, ({ faults }) => faults.notOcsp),
  };
}

async function readEach(paths: readonly string[], parse: (der: Uint8Array) => unknown, fault: Said): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (const path of paths) {
    for (const der of await readObjects([path])) {
      try {
        parse(der);
      } catch (error) {
        throw new CliError('FILE', exitCodes.files, (texts) => `${path}: ${fault(texts)}`, error);
      }
      found.push(der);
    }
  }
  return found;
}
