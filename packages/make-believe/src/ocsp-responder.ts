import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as asn1 from 'asn1js';
import { type Issuer, privateKeyOf } from './certificate-authority.ts';
import { parse } from './der.ts';

/** OpenSSL's answer to an OCSPRequest (RFC 6960), signed by the issuer itself, by this machine's clock, good for a day. */
export async function answerOcsp(
  request: Uint8Array,
  issuer: Issuer,
  certificates: readonly { serial: string; revoked?: boolean }[],
): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'lavra-ocsp-'));
  const path = (name: string) => join(directory, name);
  try {
    const lines = certificates.map(({ serial, revoked }) =>
      [revoked ? 'R' : 'V', '491231235959Z', revoked ? '260101000000Z' : '', serial.toUpperCase(), 'unknown', '/CN=x'].join('\t'),
    );
    await writeFile(path('index'), lines.map((line) => `${line}\n`).join(''));
    await writeFile(path('request'), request);
    await writeFile(path('ca.pem'), issuer.certificate.toString('pem'));
    await writeFile(path('key.pem'), (await privateKeyOf(issuer)).export({ format: 'pem', type: 'pkcs8' }));
    const who = ['-CA', path('ca.pem'), '-rsigner', path('ca.pem'), '-rkey', path('key.pem')];
    const what = ['-index', path('index'), '-reqin', path('request'), '-respout', path('answer'), '-ndays', '1'];
    await promisify(execFile)('openssl', ['ocsp', ...who, ...what]);
    return new Uint8Array(await readFile(path('answer')));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Hexadecimal serial numbers that an OCSPRequest (RFC 6960 §4.1.1) asks about. */
export function serialsIn(request: Uint8Array): string[] {
  const inside = (block: asn1.BaseBlock | undefined) => (block instanceof asn1.Constructed ? block.valueBlock.value : []);
  // tbsRequest; before its requestList stand an optional version [0] and name [1].
  const list = inside(inside(parse(request))[0]).find((block) => block instanceof asn1.Sequence);
  return inside(list).flatMap((one) => {
    const serial = inside(inside(one)[0])[3];
    return serial instanceof asn1.Integer ? [Buffer.from(serial.valueBlock.valueHexView).toString('hex')] : [];
  });
}
