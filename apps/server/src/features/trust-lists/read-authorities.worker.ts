import { createHash } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import {
  type Certificate,
  CertificatePool,
  certificatesInPem,
  findChain,
  icpBrasilTrust,
  PadesError,
  parseCertificate,
} from '@lavra/pades';
import { unzipSync } from 'fflate';

/** ITI's list has some hundreds of certificates of 2 KB. */
const MOST = 5000;
const CERTIFICATE_BYTES = 64 * 1024;
const ALL_BYTES = 32 * 1024 * 1024;

export interface AuthoritiesInput {
  /** ITI's ACcompactado.zip, a PEM file, or one certificate. */
  bytes: Uint8Array;
  /** Authorities that are known already, DER: a list may leave their roots out. */
  known: readonly Uint8Array[];
}

export interface Authorities {
  /** Those that reach a pinned root, the roots among them. */
  certificates: { fingerprint: string; der: Uint8Array }[];
  /** Certificates that reach none: other branches of ICP-Brasil (web sites, programs), and whatever else is in the file. */
  unrelated: number;
  /** What is no certificate. */
  unreadable: number;
}

/**
 * The authorities of a file that somebody brings. The file proves nothing: only what reaches, signature by signature, a root
 * whose fingerprint the engine has pinned is taken. @throws DomainError trust.listUnreadable, trust.listUnproven
 */
export async function readAuthorities({ bytes, known }: AuthoritiesInput): Promise<Authorities> {
  const { parsed, unreadable } = parseAll(certificatesIn(bytes));
  const listed = new Map(parsed.map((one) => [fingerprintOf(one.der), one]));
  const all = [...[...listed.values()].map(({ der }) => der), ...known];
  const anchors = await pinnedIn(all);
  const pool = new CertificatePool();
  pool.add(...parseAll(all).parsed);
  const proven = new Map<string, Uint8Array>();
  let related = 0;
  for (const [fingerprint, certificate] of listed) {
    const { anchor } = certificate.isAuthority ? await findChain(certificate, pool, anchors) : { anchor: null };
    if (!anchor) continue;
    related += 1;
    proven.set(fingerprint, certificate.der);
    // A list may leave its roots out; what is kept of it holds by itself.
    proven.set(fingerprintOf(anchor.der), anchor.der);
  }
  if (related === 0) throw new DomainError('trust.listUnproven', { field: 'file' });
  const certificates = [...proven].map(([fingerprint, der]) => ({ fingerprint, der }));
  return { certificates, unrelated: listed.size - related, unreadable };
}

async function pinnedIn(all: readonly Uint8Array[]): Promise<Certificate[]> {
  try {
    const { anchors } = await icpBrasilTrust(all, { history: true });
    return anchors.map(({ certificate }) => parseCertificate(certificate));
  } catch (error) {
    if (error instanceof PadesError) throw new DomainError('trust.listUnproven', { field: 'file' });
    throw error;
  }
}

/** @throws DomainError trust.listUnreadable */
function certificatesIn(bytes: Uint8Array): Uint8Array[] {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const found = (isZip ? unpacked(bytes) : [bytes]).flatMap(certificatesOf);
  if (found.length === 0 || found.length > MOST) throw new DomainError('trust.listUnreadable', { field: 'file' });
  return found;
}

/** The files of a zip, as small as certificates are, and not more of them than fit. @throws DomainError trust.listUnreadable */
function unpacked(zip: Uint8Array): Uint8Array[] {
  let count = 0;
  let size = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (name.endsWith('/') || originalSize === 0 || originalSize > CERTIFICATE_BYTES) return false;
    count += 1;
    size += originalSize;
    if (count > MOST || size > ALL_BYTES) throw new DomainError('trust.listUnreadable', { field: 'file' });
    return true;
  };
  try {
    return Object.values(unzipSync(zip, { filter }));
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('trust.listUnreadable', { field: 'file' });
  }
}

/** PEM, however many, or one in DER. What is neither is no certificate, and counted as one that cannot be read. */
function certificatesOf(file: Uint8Array): Uint8Array[] {
  if (file[0] === 0x30) return [file];
  try {
    return certificatesInPem(Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1'));
  } catch {
    return [file];
  }
}

function parseAll(ders: readonly Uint8Array[]): { parsed: Certificate[]; unreadable: number } {
  const parsed = ders.flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch {
      return [];
    }
  });
  return { parsed, unreadable: ders.length - parsed.length };
}

const fingerprintOf = (der: Uint8Array) => createHash('sha256').update(der).digest('hex');
