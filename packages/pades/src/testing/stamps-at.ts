import { createRoot, issueTimestampCertificate, privateKeyOf, rootRevocationList, timestampAuthority } from '@lavra/make-believe';
import { openPdf } from '../open-pdf.ts';
import { extendPdf } from '../extend/extend-pdf.ts';
import { readAll, memorySource, withRevision } from '../source.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';

const day = 86_400_000;

/** A timestamp authority whose clock says what the test wants, years old already. */
export interface TestStamps {
  readonly root: Uint8Array;
  /** Its own, DER. */
  readonly certificate: Uint8Array;
  /** Its revocation list, as of `now`. */
  readonly list: Uint8Array;
  /** The same of another moment, with its authority revoked, or not: that was not before. `reason`: RFC 5280 §5.3.1; left out: none is stated. */
  listOf(moment: Date, revoked?: { at: Date; reason?: number }): Promise<Uint8Array>;
  /** Stamps as if it were `at`. */
  at(at: Date): TimestampSource;
}

export async function testStamps(now: Date): Promise<TestStamps> {
  const begun = new Date(now.getTime() - 3000 * day);
  const root = await createRoot('Raiz de carimbo', begun);
  const issued = await issueTimestampCertificate(root, 'Carimbo', begun);
  const rootDer = new Uint8Array(root.certificate.rawData);
  const identity = { certificate: new Uint8Array(issued.certificate.rawData), chain: [rootDer], key: await privateKeyOf(issued) };
  let time = now;
  const answer = timestampAuthority(identity, () => time);
  const { serialNumber } = issued.certificate;
  const listOf: TestStamps['listOf'] = (moment, revoked) =>
    rootRevocationList(
      { certificate: root.certificate, privateKey: root.keys.privateKey },
      moment,
      revoked && [{ serialNumber, revocationDate: revoked.at, ...(revoked.reason === undefined ? {} : { reason: revoked.reason }) }],
    );
  const list = await listOf(now);
  const at = (chosen: Date): TimestampSource => ({
    timestamp: (request) => {
      time = chosen;
      return Promise.resolve(answer(request));
    },
  });
  return { root: rootDer, certificate: identity.certificate, list, listOf, at };
}

/** The file with a document timestamp behind it. */
export async function stamped(bytes: Uint8Array, timestamps: TimestampSource): Promise<Uint8Array> {
  const base = memorySource(bytes);
  return readAll(withRevision(base, await extendPdf(await openPdf(base), 'B-T', { timestamps })));
}
