import { child, children, encoded, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { PdfRef, PdfStream } from '../pdf/objects.ts';
import { catalogOf } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { parseRevocationList } from '../revocation/crl.ts';
import { parseOcspResponse } from '../revocation/ocsp.ts';
import type { ProofPlace, ProofSource, RevocationProofs } from '../revocation/status.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { CertificatePool } from '../x509/chain.ts';
import type { FoundSignature } from './find-signatures.ts';
import { single } from '../cms/read-signed-data.ts';
import type { SignedData } from '../cms/read-signed-data.ts';

const adobeRevocation = '1.2.840.113583.1.1.8';
const certificateValues = '1.2.840.113549.1.9.16.2.23';
const revocationValues = '1.2.840.113549.1.9.16.2.24';

/** Decoded bytes of a DSS that are looked at: ICP-Brasil's largest CRLs have some 10 MB. What is beyond proves nothing. */
const maxStored = 256 << 20;
/** Entries of each kind. */
export const maxListed = 20_000;

/** Certificates and revocation proofs gathered from everywhere in the file. Unreadable ones are left out: they prove nothing. */
export class Evidence implements RevocationProofs {
  readonly pool = new CertificatePool();
  readonly lists: RevocationProofs['lists'] = [];
  readonly responses: RevocationProofs['responses'] = [];
  /** Certificates of which somebody was asked beyond the file. */
  readonly asked = new Set<Certificate>();

  addCertificates(ders: readonly Uint8Array[]): void {
    for (const der of ders) this.attempt(() => this.pool.add(parseCertificate(der)));
  }

  addList(der: Uint8Array, source: ProofSource, place: ProofPlace | null = null): void {
    // What is fetched for one certificate comes again for the next of its issuer.
    if (source === 'fetched' && this.lists.some((one) => one.source === 'fetched' && sameBytes(one.value.der, der))) return;
    this.attempt(() => this.lists.push({ source, place, value: parseRevocationList(der) }));
  }

  addResponse(der: Uint8Array, source: ProofSource, place: ProofPlace | null = null): void {
    this.attempt(() => {
      const value = parseOcspResponse(der);
      this.pool.add(...value.certificates);
      this.responses.push({ source, place, value });
    });
  }

  /** The DSS of the newest state (EN 319 142-1 §5.4.2). Answers whether there is one. */
  async addSecurityStore(pdf: Pdf): Promise<boolean> {
    const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
    if (store === null) return false;
    const seen = new Set<number>();
    let left = maxStored;
    const streams = async (key: string): Promise<{ data: Uint8Array; place: ProofPlace | null }[]> => {
      const result: { data: Uint8Array; place: ProofPlace | null }[] = [];
      for (const item of ((await pdf.resolveArray(store.get(key))) ?? []).slice(0, maxListed)) {
        // The same stream a thousand times over proves no more than once.
        if (left < 0 || !(item instanceof PdfRef) || seen.has(item.num)) continue;
        seen.add(item.num);
        const stream = await pdf.resolve(item);
        const data = stream instanceof PdfStream ? await pdf.streamData(stream) : null;
        left -= data?.length ?? 0;
        if (data === null || left < 0 || !(stream instanceof PdfStream)) continue;
        result.push({ data, place: await placeOf(pdf, item.num, stream) });
      }
      return result;
    };
    this.addCertificates((await streams('Certs')).map(({ data }) => data));
    for (const { data, place } of await streams('CRLs')) this.addList(data, 'document', place);
    for (const { data, place } of await streams('OCSPs')) this.addResponse(data, 'document', place);
    return true;
  }

  /**
   * What a CMS brings along: certificates, CRLs, Adobe's archive and CAdES's values. It stands in the gap of the signature
   * `from`; what it signs exists as long as the signature itself.
   */
  addFrom(cms: SignedData, from: FoundSignature | null = null): void {
    this.pool.add(...(cms.certificates as Certificate[]));
    const range = from?.range ?? null;
    const inGap = range === null ? null : { start: range.gapStart, end: range.gapEnd };
    const signed = from === null || inGap === null ? null : { ...inGap, signedBy: from };
    for (const der of cms.crls) this.addList(der, 'signature', inGap);
    const [signer] = cms.signers;
    if (signer === undefined) return;
    this.attempt(() => this.addArchive(single(signer.signed, adobeRevocation), signed));
    this.attempt(() => this.addArchive(single(signer.unsigned, revocationValues), inGap));
    this.attempt(() => {
      const values = single(signer.unsigned, certificateValues);
      if (values !== null) this.addCertificates(children(values).map(encoded));
    });
  }

  /** RevocationInfoArchival and RevocationValues both: [0] CRLs, [1] OCSP responses. */
  private addArchive(value: DerNode | null, place: ProofPlace | null): void {
    for (const part of value === null ? [] : children(value)) {
      const items = part.tag === 0xa0 || part.tag === 0xa1 ? children(child(part, 0, 0x30)).map(encoded) : [];
      for (const der of items) {
        if (part.tag === 0xa0) this.addList(der, 'signature', place);
        else this.addResponse(der, 'signature', place);
      }
    }
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch {
      // Proves nothing; what is missing then shows as REVOCATION_UNKNOWN or CHAIN_INCOMPLETE.
    }
  }
}

/** Where the stream stands, from its object's first byte to its data's last; null when its Length cannot be believed. */
async function placeOf(pdf: Pdf, num: number, stream: PdfStream): Promise<ProofPlace | null> {
  const entry = await pdf.entry(num);
  const length = await pdf.resolve(stream.dict.get('Length'));
  if (entry?.kind !== 'offset' || typeof length !== 'number' || length < 0 || stream.offset < entry.offset) return null;
  const end = stream.offset + length;
  if (!Number.isSafeInteger(end) || end > pdf.source.size) return null;
  const tail = await pdf.source.read(end, Math.min(32, pdf.source.size - end));
  return /^\s{0,16}endstream/.test(String.fromCharCode(...tail)) ? { start: entry.offset, end } : null;
}
