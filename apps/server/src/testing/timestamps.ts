import {
  createRoot,
  type IcpBrasilPki,
  issueTimestampCertificate,
  privateKeyOf,
  rootRevocationList,
  timestampAuthority,
  type Tree,
} from '@lavra/make-believe';
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

export interface TestIcpBrasilTimestamps extends Pick<TimestampAuthority, 'timestamp'> {
  /** False: the authority is away. */
  available: boolean;
  /** How many it was asked for, granted or not. */
  asked: number;
}

/** A timestamp authority of a make-believe ICP-Brasil, by the test's clock, in this program; its lists are where its certificate says. */
export async function testIcpBrasilTimestamps(pki: IcpBrasilPki, clock: Clock, tree: Tree = 'v5'): Promise<TestIcpBrasilTimestamps> {
  const { certificate, chain, key } = await pki.issueTimestampAuthority('ACT de teste', { tree });
  const stamp = timestampAuthority({ certificate, chain: chain.slice(0, -1), key }, () => clock.now());
  const twin: TestIcpBrasilTimestamps = {
    available: true,
    asked: 0,
    async timestamp(request) {
      twin.asked += 1;
      if (!twin.available) throw new TypeError('fetch failed');
      return stamp(request);
    },
  };
  return twin;
}
