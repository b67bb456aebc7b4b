import { type Certificate, CertificatePool, findChain, parseCertificate, type TrustStore } from '@lavra/pades';

/**
 * Of these authorities (DER) those that are, or are below, one that is believed now: what was met under another configuration
 * counts no more. By their place in the list; null for the others.
 */
export async function believedIssuers(trust: TrustStore, issuers: readonly Uint8Array[]): Promise<(Certificate | null)[]> {
  const anchors = trust.anchors.map(({ certificate }) => parseCertificate(certificate));
  const candidates = issuers.map((der) => parseCertificate(der));
  const pool = new CertificatePool();
  pool.add(...candidates, ...anchors, ...trust.intermediates.map((der) => parseCertificate(der)));
  const chains = await Promise.all(candidates.map((one) => findChain(one, pool, anchors)));
  return candidates.map((one, index) => (chains[index]?.anchor && chains[index].problem === null ? one : null));
}
