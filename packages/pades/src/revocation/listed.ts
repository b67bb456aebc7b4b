import type { RevocationSource } from '../material.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { hexText } from '../pdf/hex.ts';

/** A list (DER) that this issuer publishes at the address that one of its certificates names; null: it cannot be had. */
export type ListAt = (url: string, issuer: Certificate) => Promise<Uint8Array | null>;

/** Addresses looked at in one certificate. */
const maxUrls = 3;

/**
 * CRLs alone as a source for `verifyPdf`: those that are at hand, and for each certificate of a chain the first that `listAt` has
 * of the web addresses it names. The same address is asked for once. Nothing is checked here: the verifier believes no list that
 * its issuer has not signed.
 */
export function listedRevocations(atHand: readonly Uint8Array[], listAt: ListAt): RevocationSource {
  const asked = new Map<string, Promise<Uint8Array | null>>();
  // The verifier keeps what it was given: twice would be twice the work.
  const given = new Set<Uint8Array>();
  const listOf = async (certificate: Certificate, issuer: Certificate): Promise<Uint8Array | null> => {
    const urls = certificate.neverRevoked ? [] : certificate.crlUrls.filter((url) => /^https?:/i.test(url)).slice(0, maxUrls);
    for (const url of urls) {
      // Under one address an authority may have published with another key before.
      const question = `${hexText(issuer.publicKey)} ${url}`;
      const answer = asked.get(question) ?? listAt(url, issuer).catch(() => null);
      asked.set(question, answer);
      const list = await answer;
      if (list !== null) return list;
    }
    return null;
  };
  return {
    async material(certificates) {
      const chain = certificates.map(parseCertificate);
      const found: (Uint8Array | null)[] = [...atHand];
      for (const [index, certificate] of chain.entries()) {
        const issuer = chain[index + 1];
        if (issuer !== undefined) found.push(await listOf(certificate, issuer));
      }
      const crls = found.filter((list) => list !== null).filter((list) => !given.has(list));
      for (const list of crls) given.add(list);
      return { certificates: [], crls, ocsps: [] };
    },
  };
}
