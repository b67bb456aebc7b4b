import { child, children, encoded } from '../cms/der.ts';
import type { DerNode } from '../cms/der.ts';
import { PdfRef, PdfStream } from '../pdf/objects.ts';
import { catalogOf } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { parseRevocationList } from '../revocation/crl.ts';
import { parseOcspResponse } from '../revocation/ocsp.ts';
import type { ProofSource, RevocationProofs } from '../revocation/status.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { CertificatePool } from '../x509/chain.ts';
import { single } from './signed-data.ts';
import type { SignedData } from './signed-data.ts';

const adobeRevocation = '1.2.840.113583.1.1.8';
const certificateValues = '1.2.840.113549.1.9.16.2.23';
const revocationValues = '1.2.840.113549.1.9.16.2.24';

/** Decoded bytes of a DSS that are looked at: ICP-Brasil's largest CRLs have some 10 MB. What is beyond proves nothing. */
const maxStored = 256 << 20;

/** Certificates and revocation proofs gathered from everywhere in the file. Unreadable ones are left out: they prove nothing. */
export class Evidence implements RevocationProofs {
  readonly pool = new CertificatePool();
  readonly lists: RevocationProofs['lists'] = [];
  readonly responses: RevocationProofs['responses'] = [];

  addCertificates(ders: readonly Uint8Array[]): void {
    for (const der of ders) this.attempt(() => this.pool.add(parseCertificate(der)));
  }

  addList(der: Uint8Array, source: ProofSource): void {
    this.attempt(() => this.lists.push({ source, value: parseRevocationList(der) }));
  }

  addResponse(der: Uint8Array, source: ProofSource): void {
    this.attempt(() => {
      const value = parseOcspResponse(der);
      this.pool.add(...value.certificates);
      this.responses.push({ source, value });
    });
  }

  /** The DSS of the newest state (EN 319 142-1 §5.4.2). Answers whether there is one. */
  async addSecurityStore(pdf: Pdf): Promise<boolean> {
    const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
    if (store === null) return false;
    const seen = new Set<number>();
    let left = maxStored;
    const streams = async (key: string): Promise<Uint8Array[]> => {
      const result: Uint8Array[] = [];
      for (const item of ((await pdf.resolveArray(store.get(key))) ?? []).slice(0, 20_000)) {
        // The same stream a thousand times over proves no more than once.
        if (left < 0 || !(item instanceof PdfRef) || seen.has(item.num)) continue;
        seen.add(item.num);
        const stream = await pdf.resolve(item);
        const data = stream instanceof PdfStream ? await pdf.streamData(stream) : null;
        left -= data?.length ?? 0;
        if (data !== null && left >= 0) result.push(data);
      }
      return result;
    };
    this.addCertificates(await streams('Certs'));
    for (const der of await streams('CRLs')) this.addList(der, 'document');
    for (const der of await streams('OCSPs')) this.addResponse(der, 'document');
    return true;
  }

  /** What a CMS brings along: certificates, CRLs, Adobe's archive and CAdES's values. */
  addFrom(cms: SignedData): void {
    this.pool.add(...(cms.certificates as Certificate[]));
    for (const der of cms.crls) this.addList(der, 'signature');
    const [signer] = cms.signers;
    if (signer === undefined) return;
    this.attempt(() => this.addArchive(single(signer.signed, adobeRevocation)));
    this.attempt(() => this.addArchive(single(signer.unsigned, revocationValues)));
    this.attempt(() => {
      const values = single(signer.unsigned, certificateValues);
      if (values !== null) this.addCertificates(children(values).map(encoded));
    });
  }

  /** RevocationInfoArchival and RevocationValues both: [0] CRLs, [1] OCSP responses. */
  private addArchive(value: DerNode | null): void {
    for (const part of value === null ? [] : children(value)) {
      const items = part.tag === 0xa0 || part.tag === 0xa1 ? children(child(part, 0, 0x30)).map(encoded) : [];
      for (const der of items) {
        if (part.tag === 0xa0) this.addList(der, 'signature');
        else this.addResponse(der, 'signature');
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
