import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** The uploaded bytes are an exact prefix, and other makers' tools agree with the rest. */
export function judge(signed: Buffer, original: Buffer, rootCertificate: Buffer): void {
  expect(signed.subarray(0, original.length).equals(original)).toBe(true);
  const directory = mkdtempSync(join(tmpdir(), 'lavra-judge-'));
  const path = join(directory, 'signed.pdf');
  writeFileSync(path, signed);
  const report = execFileSync('pdfsig', [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // Two signers and the seal; pdfsig cannot judge the document timestamp that follows them.
  expect(report.match(/Signature Validation: Signature is Valid/g)?.length).toBe(3);
  expect(report).toContain('Total document signed');
  expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax or stream encoding errors found');
  judgeWithOpenssl(signed, directory, rootCertificate);
}

/** `openssl cms -verify` accepts each signature with its chain, `openssl ts -verify` the document timestamp's imprint. */
function judgeWithOpenssl(signed: Buffer, directory: string, rootCertificate: Buffer): void {
  const root = join(directory, 'root.pem');
  writeFileSync(root, execFileSync('openssl', ['x509', '-inform', 'DER'], { input: rootCertificate }));
  const signatures = signaturesOf(signed);
  expect(signatures.map(({ kind }) => kind).toSorted()).toEqual([
    'ETSI.CAdES.detached',
    'ETSI.CAdES.detached',
    'ETSI.CAdES.detached',
    'ETSI.RFC3161',
  ]);
  for (const [index, { kind, content, value }] of signatures.entries()) {
    const [data, der] = [join(directory, `${index}.bin`), join(directory, `${index}.der`)];
    writeFileSync(data, content);
    writeFileSync(der, value);
    if (kind === 'ETSI.RFC3161') {
      const token = execFileSync('openssl', ['ts', '-reply', '-in', der, '-token_in', '-text'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(token).toContain('Hash Algorithm: sha256');
      continue;
    }
    execFileSync(
      'openssl',
      [
        'cms',
        '-verify',
        '-cades',
        '-binary',
        '-inform',
        'DER',
        '-in',
        der,
        '-content',
        data,
        '-CAfile',
        root,
        '-purpose',
        'any',
        '-out',
        '/dev/null',
      ],
      { stdio: 'pipe' },
    );
  }
}

interface Found {
  kind: string;
  content: Buffer;
  value: Buffer;
}

/** Every signature's covered bytes and value, read from the file's text and not by our own engine. */
function signaturesOf(pdf: Buffer): Found[] {
  const text = pdf.toString('latin1');
  const found: Found[] = [];
  for (const range of text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = range.slice(1).map(Number);
    const hex = text.slice(a + b, c).replace(/[^0-9a-fA-F]/g, '');
    const dictionary = text.slice(text.lastIndexOf(' obj', range.index), text.indexOf('endobj', range.index));
    found.push({
      kind: /\/SubFilter\s*\/([\w.]+)/.exec(dictionary)?.[1] ?? '',
      content: Buffer.concat([pdf.subarray(a, a + b), pdf.subarray(c, c + d)]),
      value: derOf(Buffer.from(hex, 'hex')),
    });
  }
  return found;
}

/** Without the zeros that fill the hole: the length stands in the first bytes. */
function derOf(padded: Buffer): Buffer {
  const first = padded[1] ?? 0;
  if (first < 0x80) return padded.subarray(0, 2 + first);
  const size = first & 0x7f;
  return padded.subarray(0, 2 + size + padded.readUIntBE(2, size));
}
