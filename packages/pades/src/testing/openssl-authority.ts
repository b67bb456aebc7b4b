import { execFileSync } from 'node:child_process';
import { createPrivateKey, sign as nodeSign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from '../sign/sign-pdf.ts';

/** A certificate and its key as OpenSSL made them. */
export interface OpensslIssued extends Signer {
  readonly name: string;
}

/** An authority run by OpenSSL: another maker's certificates, revocation lists and OCSP responses. */
export interface OpensslAuthority extends OpensslIssued {
  issue(name: string, options?: { from?: Date; to?: Date; extensions?: string; digest?: 'sha1' | 'sha256' }): OpensslIssued;
  /** A subordinate authority. */
  subordinate(name: string, extensions?: string): OpensslAuthority;
  revoke(issued: OpensslIssued, at: Date, reason?: 'certificateHold' | 'keyCompromise'): void;
  /** DER. */
  list(from: Date, to: Date, extensions?: string): Uint8Array;
  /** OCSPResponse, DER, for now; signed by the authority or by `responder`, over SHA-256 unless told. */
  ocsp(issued: OpensslIssued, responder?: OpensslIssued, digest?: 'sha1' | 'sha256'): Uint8Array;
}

const folder = mkdtempSync(join(tmpdir(), 'lavra-authority-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const authorityExtensions = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash';
const signerExtensions =
  'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,nonRepudiation\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid';

const openssl = (...line: string[]): Buffer => execFileSync('openssl', line, { cwd: folder, stdio: 'pipe' });
/** YYYYMMDDHHMMSSZ, as `openssl ca` takes it. */
const stamp = (at: Date): string => `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
const day = 86_400_000;
let count = 0;

/** A self-signed root, valid from ten years ago for twenty. */
export function opensslRoot(name: string): OpensslAuthority {
  const id = newKey(name);
  return certified(
    name,
    id,
    id,
    authorityExtensions,
    new Date(Date.now() - 3650 * day),
    new Date(Date.now() + 3650 * day),
  ) as OpensslAuthority;
}

function newKey(name: string): string {
  const id = `${++count}-${name.replaceAll(/\W/g, '')}`;
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${id}.key`);
  openssl('req', '-new', '-key', `${id}.key`, '-out', `${id}.csr`, '-subj', `/C=BR/O=Teste/CN=${name}`, '-utf8');
  mkdirSync(join(folder, `${id}-new`));
  writeFileSync(join(folder, `${id}.txt`), '');
  writeFileSync(join(folder, `${id}.txt.attr`), 'unique_subject = no\n');
  return id;
}

function config(issuer: string, extensions: string): string {
  const path = join(folder, `${issuer}.cnf`);
  const base = `[ca]\ndefault_ca=d\n[d]\ndatabase=${issuer}.txt\nnew_certs_dir=${issuer}-new\nrand_serial=yes\ndefault_md=sha256\npolicy=p\n`;
  writeFileSync(path, `${base}copy_extensions=none\n[p]\nC=optional\nO=optional\nCN=supplied\n[e]\n${extensions}\n`);
  return path;
}

function certified(
  name: string,
  issuer: string,
  id: string,
  extensions: string,
  from: Date,
  to: Date,
  chain: Uint8Array[] = [],
  digest = 'sha256',
): OpensslIssued {
  const own = issuer === id ? ['-selfsign'] : ['-cert', `${issuer}.pem`];
  const cnf = config(issuer, extensions);
  const when = ['-startdate', stamp(from), '-enddate', stamp(to)];
  openssl(
    'ca',
    '-batch',
    '-notext',
    '-config',
    cnf,
    '-extensions',
    'e',
    ...when,
    '-md',
    digest,
    ...own,
    '-keyfile',
    `${issuer}.key`,
    '-in',
    `${id}.csr`,
    '-out',
    `${id}.pem`,
  );
  const certificate = new Uint8Array(openssl('x509', '-in', `${id}.pem`, '-outform', 'DER'));
  const key = createPrivateKey(readFileSync(join(folder, `${id}.key`)));
  const issued: OpensslIssued & { id: string } = {
    name,
    id,
    certificate,
    chain,
    sign: (data, digest) => Promise.resolve(new Uint8Array(nodeSign(digest, data, key))),
  };
  return extensions.includes('CA:TRUE') ? { ...issued, ...authority(id, [certificate, ...chain]) } : issued;
}

const idOf = (issued: OpensslIssued): string => (issued as OpensslIssued & { id: string }).id;

function authority(id: string, chain: Uint8Array[]): Omit<OpensslAuthority, keyof OpensslIssued> {
  const soon = () => new Date(Date.now() + 365 * day);
  const begun = () => new Date(Date.now() - day);
  return {
    issue: (name, { from = begun(), to = soon(), extensions = signerExtensions, digest } = {}) =>
      certified(name, id, newKey(name), extensions, from, to, chain, digest),
    subordinate: (name, extensions = authorityExtensions) =>
      certified(
        name,
        id,
        newKey(name),
        `${extensions}\nauthorityKeyIdentifier=keyid`,
        new Date(Date.now() - 3000 * day),
        new Date(Date.now() + 3000 * day),
        chain,
      ) as OpensslAuthority,
    revoke(issued, at, reason) {
      const why = reason === undefined ? [] : ['-crl_reason', reason];
      openssl('ca', '-config', config(id, ''), '-cert', `${id}.pem`, '-keyfile', `${id}.key`, '-revoke', `${idOf(issued)}.pem`, ...why);
      // OpenSSL notes the present; the date stands in the third column of its index.
      const index = join(folder, `${id}.txt`);
      const rows = readFileSync(index, 'utf8').split('\n');
      const serial = openssl('x509', '-in', `${idOf(issued)}.pem`, '-noout', '-serial')
        .toString()
        .trim()
        .replace('serial=', '');
      const changed = rows.map((row) =>
        row.split('\t')[3] === serial ? row.replace(/^(R\t[^\t]*\t)[^\t,]*/, `$1${stamp(at).slice(2)}`) : row,
      );
      writeFileSync(index, changed.join('\n'));
    },
    list(from, to, extensions = '') {
      const when = ['-crl_lastupdate', stamp(from), '-crl_nextupdate', stamp(to)];
      const more = extensions === '' ? [] : ['-crlexts', 'e'];
      openssl(
        'ca',
        '-config',
        config(id, extensions),
        '-cert',
        `${id}.pem`,
        '-keyfile',
        `${id}.key`,
        '-gencrl',
        ...when,
        ...more,
        '-out',
        `${id}.crl`,
      );
      return new Uint8Array(openssl('crl', '-in', `${id}.crl`, '-outform', 'DER'));
    },
    ocsp(issued, responder, digest = 'sha256') {
      const by = responder === undefined ? id : idOf(responder);
      openssl('ocsp', '-issuer', `${id}.pem`, '-cert', `${idOf(issued)}.pem`, '-reqout', 'ocsp.req', '-no_nonce');
      const signer = ['-rsigner', `${by}.pem`, '-rkey', `${by}.key`, '-rmd', digest];
      openssl('ocsp', '-index', `${id}.txt`, '-CA', `${id}.pem`, ...signer, '-reqin', 'ocsp.req', '-respout', 'ocsp.resp', '-ndays', '1');
      return new Uint8Array(readFileSync(join(folder, 'ocsp.resp')));
    },
  };
}
