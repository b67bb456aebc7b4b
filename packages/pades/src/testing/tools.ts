import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ToolResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a program on a file made of `bytes`; code -1 when it is not installed or took longer than 20 s. */
export async function runOn(program: string, parameters: string[], bytes: Uint8Array): Promise<ToolResult> {
  return runWith(program, [...parameters, '{file}'], { file: bytes });
}

export async function hasTool(program: string): Promise<boolean> {
  return (await runOn(program, ['--version'], new Uint8Array())).code !== -1;
}

/** How many signatures pdfsig calls valid, and how many cover the whole file. */
export async function pdfsig(bytes: Uint8Array): Promise<{ valid: number; total: number }> {
  const { output } = await runOn('pdfsig', ['-nocert'], bytes);
  const count = (pattern: RegExp): number => output.match(pattern)?.length ?? 0;
  return { valid: count(/Signature is Valid/g), total: count(/Total document signed/g) };
}

/** 0 clean, 3 warnings, 2 errors; and the number of pages, -1 when it cannot tell. */
export async function qpdf(bytes: Uint8Array): Promise<{ code: number; pages: number }> {
  const [check, pages] = await Promise.all([runOn('qpdf', ['--check'], bytes), runOn('qpdf', ['--show-npages'], bytes)]);
  const found = /^(\d+)\s*$/m.exec(pages.output);
  return { code: check.code, pages: found ? Number(found[1]) : -1 };
}

/** Runs a program with files made of `parts`, `{name}` in a parameter standing for that file's path. */
export async function runWith(program: string, parameters: readonly string[], parts: Record<string, Uint8Array>): Promise<ToolResult> {
  const directory = await mkdtemp(join(tmpdir(), 'pades-'));
  try {
    await Promise.all(Object.entries(parts).map(([name, bytes]) => writeFile(join(directory, name), bytes)));
    const given = parameters.map((parameter) => parameter.replace(/\{(\w+)\}/, (_, name: string) => join(directory, name)));
    return await new Promise((resolve) => {
      const options = { timeout: 20_000, maxBuffer: 8 << 20, encoding: 'latin1' as const };
      execFile(program, given, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, output: stdout + stderr });
      });
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** DER certificates as PEM, for programs that take no DER. */
export function pem(...certificates: readonly Uint8Array[]): Uint8Array {
  // Joined, not cut after every 64: OpenSSL refuses the empty line that a length of just 64 n would leave.
  const lines = (der: Uint8Array): string =>
    (
      Buffer.from(der)
        .toString('base64')
        .match(/.{1,64}/g) ?? []
    ).join('\n');
  const one = (der: Uint8Array): string => `-----BEGIN CERTIFICATE-----\n${lines(der)}\n-----END CERTIFICATE-----\n`;
  return Buffer.from(certificates.map(one).join(''));
}

/** True when OpenSSL takes the detached CMS as a CAdES signature over `content` by somebody the certificates vouch for. */
export async function opensslCades(cms: Uint8Array, content: Uint8Array, trusted: readonly Uint8Array[]): Promise<ToolResult> {
  const how = ['cms', '-verify', '-cades', '-binary', '-purpose', 'any', '-inform', 'DER', '-out', '/dev/null'];
  const files = ['-in', '{cms}', '-content', '{content}', '-CAfile', '{trusted}'];
  return runWith('openssl', [...how, ...files], { cms, content, trusted: pem(...trusted) });
}

/** True (code 0) when OpenSSL takes the timestamp token as one over `data` by an authority the certificates vouch for. */
export async function opensslTimestamp(token: Uint8Array, data: Uint8Array, trusted: readonly Uint8Array[]): Promise<ToolResult> {
  const files = ['-in', '{token}', '-token_in', '-data', '{data}', '-CAfile', '{trusted}'];
  return runWith('openssl', ['ts', '-verify', ...files], { token, data, trusted: pem(...trusted) });
}

/**
 * True (code 0) when OpenSSL takes the value as Ed25519 over the signed attributes: before version 3.2 it knows no EdDSA
 * inside a CMS, and pdfsig none at all.
 */
export async function opensslEd25519(certificate: Uint8Array, signedAttributes: Uint8Array, value: Uint8Array): Promise<ToolResult> {
  const files = ['-inkey', '{signer}', '-in', '{data}', '-sigfile', '{value}'];
  return runWith('openssl', ['pkeyutl', '-verify', '-certin', '-rawin', ...files], {
    signer: pem(certificate),
    data: signedAttributes,
    value,
  });
}
