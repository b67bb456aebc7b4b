import { createRoot, issueTimestampCertificate, privateKeyOf, rootRevocationList, timestampAuthority } from '@lavra/make-believe';
import { openPdf } from '../open-pdf.ts';
import { extendPdf } from '../extend/extend-pdf.ts';
import { readAll, memorySource, withRevision } from '../source.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';

const day = 86_400_000;

/** A timestamp authority whose clock says what the test wants, years old already. */
export interface TestStamps {
  readonly root: Uint8Array;
  /** Its revocation list, as of `now`. */
  readonly list: Uint8Array;
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
  const list = await rootRevocationList({ certificate: root.certificate, privateKey: root.keys.privateKey }, now);
  const at = (chosen: Date): TimestampSource => ({
    timestamp: (request) => {
      time = chosen;
      return Promise.resolve(answer(request));
    },
  });
  return { root: rootDer, list, at };
}

/** The file with a document timestamp behind it. */
export async function stamped(bytes: Uint8Array, timestamps: TimestampSource): Promise<Uint8Array> {
  const base = memorySource(bytes);
  return readAll(withRevision(base, await extendPdf(await openPdf(base), 'B-T', { timestamps })));
}
