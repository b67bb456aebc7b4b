import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { x509 } from '../features/authority/x509.ts';

export interface FoundSignature {
  /** The CMS in its hole, padding cut off. */
  cms: Buffer;
  /** The bytes that it covers. */
  covered: Buffer;
}

/** Every signature and document timestamp of a PDF, by its ByteRange. */
export function findSignatures(pdf: Buffer): FoundSignature[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].map((match) => {
    const [a, b, c, d] = match.slice(1).map(Number) as [number, number, number, number];
    const padded = Buffer.from(text.slice(a + b + 1, c - 1), 'hex');
    const length = 4 + padded.readUInt16BE(2);
    return { cms: padded.subarray(0, length), covered: Buffer.concat([pdf.subarray(a, a + b), pdf.subarray(c, c + d)]) };
  });
}

/** What OpenSSL says of a signature at an instant, with one trusted root: '' when it holds. */
export async function opensslFault(signature: FoundSignature, root: Uint8Array, at: Date): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lavra-cms-'));
  const path = (name: string) => join(directory, name);
  try {
    await writeFile(path('cms'), signature.cms);
    await writeFile(path('content'), signature.covered);
    await writeFile(path('root.pem'), new x509.X509Certificate(Buffer.from(root)).toString('pem'));
    const when = String(Math.floor(at.getTime() / 1000));
    const files = ['-in', path('cms'), '-content', path('content'), '-CAfile', path('root.pem'), '-out', path('out')];
    const verify = ['cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', '-attime', when];
    await promisify(execFile)('openssl', [...verify, ...files]);
    return '';
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
