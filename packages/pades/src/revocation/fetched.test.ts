import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { answerOcsp, createRoot, issueAuthority, rootRevocationList } from '@lavra/make-believe';
import type { Issuer } from '@lavra/make-believe';
import { sequence, setOf, smallInteger, tlv, oid } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { runWith } from '../testing/tools.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { issuersInAnswer, judgeFetchedList, judgeFetchedResponse, judgeIssuersList } from './fetched.ts';
import { listedRevocations } from './listed.ts';
import { ocspRequest } from './ocsp-request.ts';

const day = 86_400_000;
const now = new Date();
const derOf = ({ certificate }: Issuer) => new Uint8Array(certificate.rawData);

let root: Issuer;
let below: Issuer;
let stranger: Issuer;
let issuer: Certificate;
let certificate: Certificate;
before(async () => {
  root = await createRoot('Raiz', now);
  stranger = await createRoot('Raiz', now);
  below = await issueAuthority(root, 'Emissora', {}, now);
  issuer = parseCertificate(derOf(root));
  certificate = parseCertificate(derOf(below));
});

const listOf = ({ certificate: own, keys }: Issuer, at = now, revoked: string[] = []) =>
  rootRevocationList({ certificate: own, privateKey: keys.privateKey }, at, revoked);

describe('an OCSP request', () => {
  it('is read by OpenSSL as one for this serial number, by SHA-1 of the issuer', async () => {
    const request = await ocspRequest(certificate, issuer);
    const { output } = await runWith('openssl', ['ocsp', '-reqin', '{request}', '-req_text', '-noverify'], { request });
    assert.match(output, /Hash Algorithm: sha1/);
    assert.match(output, new RegExp(`Serial Number: ${certificate.serial}`, 'i'));
  });

  it('gets an answer from OpenSSL that speaks of the certificate', async () => {
    const request = await ocspRequest(certificate, issuer);
    // OpenSSL answers by the clock: other files' tests may have taken minutes since this one was loaded.
    const at = new Date();
    const good = await answerOcsp(request, root, [{ serial: certificate.serial }]);
    const judged = await judgeFetchedResponse(good, certificate, issuer, at);
    assert.equal(judged?.status, 'good');
    assert.ok((judged?.nextUpdate?.getTime() ?? 0) > at.getTime());
    const revoked = await answerOcsp(request, root, [{ serial: certificate.serial, revoked: true }]);
    assert.equal((await judgeFetchedResponse(revoked, certificate, issuer, at))?.status, 'revoked');
  });

  it('is answered by nothing when the responder does not know the certificate, or is another, or has grown old', async () => {
    const request = await ocspRequest(certificate, issuer);
    assert.equal(await judgeFetchedResponse(await answerOcsp(request, root, []), certificate, issuer, now), null);
    assert.equal(
      await judgeFetchedResponse(await answerOcsp(request, stranger, [{ serial: certificate.serial }]), certificate, issuer, now),
      null,
    );
    const good = await answerOcsp(request, root, [{ serial: certificate.serial }]);
    assert.equal(await judgeFetchedResponse(good, certificate, issuer, new Date(now.getTime() + 3 * day)), null);
    const forged = Buffer.from(good);
    const digit = forged.indexOf(`${now.getUTCFullYear()}`) + 13;
    forged[digit] = forged[digit] === 0x30 ? 0x31 : 0x30;
    assert.equal(await judgeFetchedResponse(forged, certificate, issuer, new Date()), null, 'a time that was not signed');
    assert.equal(await judgeFetchedResponse(good, certificate, issuer, new Date(now.getTime() - day)), null, 'dated ahead');
  });
});

describe('a fetched revocation list', () => {
  it('counts when its issuer signed it and it is in force', async () => {
    assert.equal((await judgeFetchedList(await listOf(root), certificate, issuer, now))?.status, 'good');
    const revoked = await listOf(root, now, [certificate.serial]);
    assert.equal((await judgeFetchedList(revoked, certificate, issuer, now))?.status, 'revoked');
  });

  it('counts for nothing when somebody else of the same name signed it, when it is old, cut, continued, or no list', async () => {
    const list = await listOf(root);
    for (const der of [
      await listOf(stranger),
      await listOf(root, new Date(now.getTime() - 8 * day)),
      await listOf(root, new Date(now.getTime() + day)),
      list.slice(0, -1),
      Uint8Array.from([...list, 0]),
      new TextEncoder().encode('<html>not found</html>'),
      new Uint8Array(),
    ])
      assert.equal(await judgeFetchedList(der, certificate, issuer, now), null);
  });
});

describe('an answer at a caIssuers address', () => {
  const bundle = (...certificates: Uint8Array[]) =>
    sequence(
      oid(oids.signedData),
      tlv(0xa0, sequence(smallInteger(1), setOf([]), sequence(oid(oids.data)), tlv(0xa0, ...certificates), setOf([]))),
    );

  it('is the issuer in DER or a certs-only bundle with it', async () => {
    for (const answer of [derOf(root), bundle(derOf(stranger), derOf(root)), bundle(derOf(root))]) {
      const found = await issuersInAnswer(answer, certificate);
      assert.ok(found.some(({ der }) => Buffer.from(der).equals(derOf(root))));
    }
  });

  it('is nothing when no certificate in it issued the one that named the address', async () => {
    for (const answer of [derOf(stranger), bundle(derOf(stranger)), bundle(), Uint8Array.from([...derOf(root), 0]), new Uint8Array([48])])
      assert.deepEqual(await issuersInAnswer(answer, certificate), []);
  });
});

describe('a list to be handed on', () => {
  it('is one that its issuer signed, over or not, and nothing else', async () => {
    const list = await listOf(root);
    assert.ok((await judgeIssuersList(list, issuer, now))?.nextUpdate);
    assert.ok(await judgeIssuersList(list, issuer, new Date(now.getTime() + 400 * day)), 'who is named in it is revoked for good');
    const ahead = await judgeIssuersList(list, issuer, new Date(now.getTime() - day));
    const ofAnother = await judgeIssuersList(await listOf(stranger), issuer, now);
    const longer = await judgeIssuersList(Uint8Array.of(...list, 0), issuer, now);
    const turned = list.slice();
    turned[turned.length - 1] = (turned[turned.length - 1] ?? 0) ^ 1;
    const none = [ahead, ofAnother, longer, await judgeIssuersList(turned, issuer, now), await judgeIssuersList(derOf(root), issuer, now)];
    assert.deepEqual(none, [null, null, null, null, null]);
  });

  it('is asked for once for all certificates that name it, and a source that fails leaves it out', async () => {
    const crl = 'http://lista.exemplo.com.br/raiz.crl';
    const chains = await Promise.all(['Uma', 'Outra'].map((name) => issueAuthority(root, name, { crl }, now)));
    const list = await listOf(root);
    const asked: string[] = [];
    const source = listedRevocations([], (url) => (asked.push(url), Promise.resolve(list)));
    const given = [];
    for (const one of chains) given.push((await source.material([derOf(one), derOf(root)])).crls.length);
    assert.deepEqual([asked, given], [[crl], [1, 0]]);
    const broken = listedRevocations([list], () => Promise.reject(new Error('away')));
    assert.deepEqual((await broken.material([derOf(chains[0] ?? root), derOf(root)])).crls, [list]);
  });
});
