import { attackCms } from './forge-cms.ts';
import { honestCms } from './forge-signature.ts';
import type { CmsMaker } from './forge-signature.ts';
import { append, handMade } from './bases.ts';
import { family } from './variant.ts';
import type { Variant } from './variant.ts';
import { extendPdf } from '../../extend/extend-pdf.ts';
import { requestTimestamp } from '../../timestamp/timestamp.ts';
import { digestOf, platformCrypto } from '../../crypto.ts';
import { latin1Bytes, latin1Text } from '../../pdf/objects.ts';
import { openPdf } from '../../open-pdf.ts';
import { memorySource } from '../../source.ts';
import type { AttackWorld } from './world.ts';

const made =
  (cms: CmsMaker): Variant['make'] =>
  ({ world }) =>
    handMade(world, { cms });

function stamp(world: AttackWorld, over: Uint8Array): Promise<Uint8Array> {
  return digestOf(platformCrypto, 'sha256', over).then((imprint) =>
    requestTimestamp(world.timestamps, imprint, 'sha256', world.crypto.random),
  );
}

/** CMS structures that verify when somebody looks at the wrong part of them. */
export const cms = family('CMS', {
  'no-signed-attributes': ['the value signs the digest directly', made(attackCms({ signedAttributes: false }))],
  'content-attached': ['the signed bytes are inside the CMS, the file may say anything', made(attackCms({ content: 'same' }))],
  'other-content-attached': [
    'other bytes are inside the CMS, and their digest is the one that is signed',
    made(attackCms({ content: 'other' })),
  ],
  'empty-content-attached': ['an empty content', made(attackCms({ content: 'empty' }))],
  'two-signers': ['a second SignerInfo', made(attackCms({ signers: 2 }))],
  'no-signer': ['no SignerInfo', made(attackCms({ signers: 0 }))],
  'digest-algorithm-disagrees': ['SHA-512 is announced, SHA-256 is signed with', made(attackCms({ digestAlgorithm: 'sha512' }))],
  'digest-algorithm-is-a-signature': ["the digest algorithm is a signature's identifier", made(attackCms({ digestAlgorithm: 'ecdsa' }))],
  'message-digest-missing': ['no message digest', made(attackCms({ drop: 'messageDigest' }))],
  'message-digest-twice': ['two message digests, one of them right', made(attackCms({ twice: 'messageDigest' }))],
  'message-digest-of-nothing': ['the digest of nothing', made(attackCms({ digestOfNothing: true }))],
  'content-type-missing': ['no content type', made(attackCms({ drop: 'contentType' }))],
  'content-type-other': ['the content type of a timestamp', made(attackCms({ contentType: '1.2.840.113549.1.9.16.1.4' }))],
  'encapsulated-type-other': [
    'the signed attribute says data, what stands outside it encrypted data',
    made(async (facts) => {
      const bytes = Buffer.from(await honestCms(facts));
      // The content's own type stands first, in a SEQUENCE of nothing else.
      bytes.set(Buffer.from('300b06092a864886f70d010706', 'hex'), bytes.indexOf(Buffer.from('300b06092a864886f70d010701', 'hex')));
      return new Uint8Array(bytes);
    }),
  ],
  'certificate-unprotected': ['no signing-certificate attribute', made(attackCms({ drop: 'signingCertificate' }))],
  'certificate-swapped': ['another certificate over the same key', made(attackCms({ certificate: 'twin' }))],
  'certificate-missing': ['no certificate', made(attackCms({ certificate: 'none' }))],
  'certificate-of-another': ["another person's certificate", made(attackCms({ certificate: 'other' }))],
  'untrusted-signer': ['a certificate of a root nobody trusts', ({ world }) => handMade(world, { signer: world.mallory })],
  'second-cms-behind': [
    'a second CMS behind the first',
    made(async (facts) => {
      const one = await honestCms(facts);
      return Uint8Array.of(...one, ...one);
    }),
  ],
  'second-cms-behind-zeros': [
    'the same, with zeros between them',
    made(async (facts) => {
      const one = await honestCms(facts);
      return Uint8Array.of(...one, 0, 0, 0, ...one);
    }),
  ],
  'value-corrupted': ['one bit of the signature value', made(attackCms({ corruptValue: true }))],
  'signed-for-another-file': [
    'the CMS of another file',
    async ({ world }) => {
      let other: Uint8Array = new Uint8Array();
      await handMade(world, { cms: async (facts) => (other = await honestCms(facts)), objects: { 6: '<</Title(Outro)>>' } });
      return handMade(world, { cms: () => Promise.resolve(other) });
    },
  ],
  'no-signed-data': [
    'a CMS of another kind',
    made(async (facts) => {
      const der = (await honestCms(facts)).slice();
      const at = der.indexOf(0x06);
      der[at + 10] = 3;
      return der;
    }),
  ],
  'cades-as-old-form': [
    'the SubFilter of the old form with an attached digest',
    ({ world }) => handMade(world, { signature: { subFilter: 'adbe.pkcs7.sha1' } }),
  ],
  'timestamp-copied': [
    'the timestamp of another signature',
    ({ world }) => handMade(world, { cms: async (facts) => attackCms({ timestamp: await stamp(world, Uint8Array.of(1, 2, 3)) })(facts) }),
    { field: 'ana', timestamp: true },
  ],
  'timestamp-of-the-file': [
    'a timestamp over the file and not over the signature',
    ({ world }) => handMade(world, { cms: async (facts) => attackCms({ timestamp: await stamp(world, facts.signed) })(facts) }),
    { field: 'ana', timestamp: true },
  ],
  'document-timestamp-copied': [
    'the token of one document timestamp in the place of another',
    async ({ world, bases }) => {
      const pdf = await openPdf(memorySource(bases.archived));
      const again = await append(bases.archived, await extendPdf(pdf, 'B-T', { timestamps: world.timestamps, crypto: world.crypto }));
      const text = latin1Text(again);
      const tokens = [...text.matchAll(/\/ETSI\.RFC3161[\s\S]*?\/Contents <([0-9a-f]+)>/g)].map(([, hex = '']) => hex);
      const [first = '', second = ''] = tokens;
      return latin1Bytes(text.replace(second, first.padEnd(second.length, '0').slice(0, second.length)));
    },
    { field: 'Timestamp2' },
  ],
  'document-timestamp-over-a-changed-file': [
    'a byte changed between the signature and the document timestamp',
    ({ bases }) => {
      const bytes = bases.archived.slice();
      const at = latin1Text(bytes).indexOf('(Valor');
      bytes[at + 8] = 0x39;
      return bytes;
    },
    { field: 'Timestamp1' },
  ],
});
