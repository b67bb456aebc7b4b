import { createRoot, issueTimestampCertificate, privateKeyOf, rootRevocationList, timestampAuthority } from '@lavra/make-believe';
import type { Clock, TimestampAuthority } from '../context.ts';

export interface TestTimestamps extends TimestampAuthority {
  /** False: the authority is away, as when nothing answers at its address. */
  available: boolean;
  /** Called once, after the next timestamp. */
  afterwards: (() => void) | null;
}

/** A timestamp authority by the test's clock, in this program, with its own revocation data: level B-LTA. */
export async function testTimestamps(clock: Clock): Promise<TestTimestamps> {
  const root = await createRoot('Raiz de carimbo do tempo de teste', clock.now());
  const authority = await issueTimestampCertificate(root, 'Carimbo do tempo de teste', clock.now());
  const rootDer = new Uint8Array(root.certificate.rawData);
  const identity = { certificate: new Uint8Array(authority.certificate.rawData), chain: [], key: await privateKeyOf(authority) };
  const stamp = timestampAuthority(identity, () => clock.now());
  const list = { certificate: root.certificate, privateKey: root.keys.privateKey };
  const twin: TestTimestamps = {
    available: true,
    afterwards: null,
    anchors: [rootDer],
    async material() {
      return { certificates: [rootDer], crls: [await rootRevocationList(list, clock.now())], ocsps: [] };
    },
    async timestamp(request) {
      if (!twin.available) throw new TypeError('fetch failed');
      const answer = stamp(request);
      twin.afterwards?.();
      twin.afterwards = null;
      return answer;
    },
  };
  return twin;
}
