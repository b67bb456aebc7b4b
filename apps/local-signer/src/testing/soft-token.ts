import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';

/** SoftHSM2 (Debian's `softhsm2`): a PKCS #11 module whose tokens are folders. */
export const softTokenModule = '/usr/lib/softhsm/libsofthsm2.so';

export interface SoftTokens {
  /** What the program under test must have in its environment. */
  readonly environment: Record<string, string>;
  add(token: { label: string; pin: string }): void;
  /** Puts a key with its certificate on a token, and certificates of authorities without keys. */
  put(token: { label: string; pin: string }, identity: { key: KeyObject; certificate: Uint8Array; chain?: readonly Uint8Array[] }): void;
  /** Pulls out every token at once: their folders go. Called, the answer puts them back. */
  pullOut(): () => void;
  [Symbol.dispose](): void;
}

/** A drawer of tokens of its own; keys and certificates go in by softhsm2-util and OpenSC's pkcs11-tool. */
export function softTokens(): SoftTokens {
  const folder = mkdtempSync(join(tmpdir(), 'lavra-tokens-'));
  const tokens = join(folder, 'tokens');
  mkdirSync(tokens);
  const configuration = join(folder, 'softhsm2.conf');
  writeFileSync(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  const environment = { SOFTHSM2_CONF: configuration };
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let objects = 0;
  const putCertificate = (label: string, pin: string, id: string, der: Uint8Array) => {
    const path = join(folder, 'certificate.der');
    writeFileSync(path, der);
    run(
      'pkcs11-tool',
      '--module',
      softTokenModule,
      '--token-label',
      label,
      '--login',
      '--pin',
      pin,
      '--write-object',
      path,
      '--type',
      'cert',
      '--id',
      id,
    );
  };
  return {
    environment,
    add: ({ label, pin }) => void run('softhsm2-util', '--init-token', '--free', '--label', label, '--pin', pin, '--so-pin', '12345678'),
    put({ label, pin }, { key, certificate, chain = [] }) {
      objects += 1;
      const id = objects.toString(16).padStart(2, '0');
      const path = join(folder, 'key.pem');
      writeFileSync(path, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      run('softhsm2-util', '--import', path, '--token', label, '--label', `key ${id}`, '--id', id, '--pin', pin);
      putCertificate(label, pin, id, certificate);
      chain.forEach((der, index) => putCertificate(label, pin, `f${index}${id}`, der));
    },
    pullOut() {
      const away = join(folder, 'away');
      renameSync(tokens, away);
      mkdirSync(tokens);
      return () => {
        rmSync(tokens, { recursive: true });
        renameSync(away, tokens);
      };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
