import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, webcrypto } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { issuedExtensions, loadAuthority } from './authority.ts';
import { time } from './der.ts';
import { issueSignerCertificate } from './issue-signer-certificate.ts';
import { makeRevocationLists } from './revocation-list.ts';
import { generalizedTime, KEY_ALGORITHM, newKeyPair } from './keys.ts';
import { x509 } from './x509.ts';

/** What of a signed structure is the same whoever makes it: a signature has chance in it. */
const toBeSigned = (raw: ArrayBuffer | Uint8Array) => {
  const bytes = Buffer.from(raw as Uint8Array);
  const size = (bytes[1] ?? 0) < 128 ? 2 : 2 + ((bytes[1] ?? 0) & 127);
  const inner = bytes.subarray(size);
  const octets = (inner[1] ?? 0) < 128 ? 0 : (inner[1] ?? 0) & 127;
  const length = octets === 0 ? (inner[1] ?? 0) : inner.readUIntBE(2, octets);
  return inner.subarray(0, 2 + octets + length).toString('hex');
};

describe('what the installation issues while somebody waits', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('is the certificate that another maker’s generator makes of the same facts, byte for byte, whatever the name', async () => {
    const keys = await newKeyPair(false);
    const { people } = await loadAuthority(app.ctx);
    // What that generator reads into a name (quotes, a leading #, its own escapes) is no part of this comparison.
    const names = fc
      .string({ minLength: 1, maxLength: 60, unit: fc.constantFrom(...'aZ09 ãéÑŁ’.-/()+,=:?<;') })
      .filter((name) => name.trim() === name);
    const property = fc.asyncProperty(names, fc.integer({ min: 1, max: 30 * 365 }), async (name, days) => {
      const end = new Date(app.ctx.clock.now().getTime() + days * 86_400_000);
      const ours = await issueSignerCertificate(app.ctx, { name, email: 'bia@exemplo.com.br' }, keys, end);
      const theirs = await x509.X509CertificateGenerator.create({
        serialNumber: ours.serial,
        subject: [{ CN: [name] }, { O: ['Assinatura eletrônica Lavra'] }, { C: ['BR'] }],
        issuer: people.certificate.subject,
        notBefore: ours.notBefore,
        notAfter: ours.notAfter,
        signingAlgorithm: KEY_ALGORITHM,
        publicKey: keys.publicKey,
        signingKey: people.privateKey.toCryptoKey(KEY_ALGORITHM, false, ['sign']),
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation, true),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
          new x509.SubjectAlternativeNameExtension([{ type: 'email', value: 'bia@exemplo.com.br' }]),
          ...(await issuedExtensions(app.ctx, people)),
        ],
      });
      assert.equal(toBeSigned(ours.der), toBeSigned(theirs.rawData));
      assert.equal(ours.subject, theirs.subject);
      const read = new x509.X509Certificate(ours.der);
      assert.equal(await read.verify({ publicKey: await people.certificate.publicKey.export(), signatureOnly: true }), true);
      assert.ok(read.notAfter <= people.certificate.notAfter);
    });
    await fc.assert(property, { seed: 20261123, numRuns: 40 });
  });

  it('is the list that another maker’s generator makes of the same facts, with and without who is revoked', async () => {
    const { people } = await loadAuthority(app.ctx);
    for (const isRevoked of [false, true]) {
      if (isRevoked) {
        const keys = await newKeyPair(false);
        const { der, serial, subject, notBefore, notAfter } = await issueSignerCertificate(
          app.ctx,
          { name: 'Bia', email: 'bia@exemplo.com.br' },
          keys,
          new Date(app.ctx.clock.now().getTime() + 86_400_000),
        );
        await app.ctx.db
          .insertInto('issued_certificate')
          .values({
            serial,
            issuer_id: 'people',
            subject,
            certificate: Buffer.from(der),
            signer_id: null,
            not_before: notBefore,
            not_after: notAfter,
            revoked_at: notBefore,
          } as never)
          .execute();
      }
      const now = app.ctx.clock.now();
      const [ours = new Uint8Array()] = await makeRevocationLists(app.ctx, [{ issuer: 'people', until: null }]);
      const rows = await app.ctx.db.selectFrom('issued_certificate').selectAll().where('revoked_at', 'is not', null).execute();
      const number = Math.floor(now.getTime() / 1000);
      const theirs = await x509.X509CrlGenerator.create({
        issuer: people.certificate.subject,
        thisUpdate: new Date(now.getTime() - 1000),
        nextUpdate: new Date(now.getTime() + 3_600_000),
        signingAlgorithm: KEY_ALGORITHM,
        signingKey: people.privateKey.toCryptoKey(KEY_ALGORITHM, false, ['sign']),
        entries: rows.map((row) => ({ serialNumber: row.serial, revocationDate: row.revoked_at ?? now })),
        extensions: [
          await x509.AuthorityKeyIdentifierExtension.create(people.certificate.publicKey),
          new x509.Extension('2.5.29.20', false, Uint8Array.from([0x02, 0x04, ...Buffer.from(number.toString(16), 'hex')])),
          new x509.Extension('2.5.29.60', false, generalizedTime(people.certificate.notBefore)),
        ],
      });
      assert.equal(rows.length, isRevoked ? 1 : 0);
      const told = (raw: ArrayBuffer | Uint8Array) => {
        const { entries, issuer, thisUpdate, nextUpdate, extensions } = new x509.X509Crl(raw as Uint8Array<ArrayBuffer>);
        const said = extensions.map(({ rawData }) => Buffer.from(rawData).toString('hex'));
        return {
          entries: entries.map(({ serialNumber, revocationDate }) => [serialNumber, revocationDate]),
          issuer,
          thisUpdate,
          nextUpdate,
          said,
        };
      };
      // That generator writes an empty list of extensions to each entry, which RFC 5280 §5.1 has no place for.
      if (isRevoked) assert.deepEqual(told(ours), told(theirs.rawData));
      else assert.equal(toBeSigned(ours), toBeSigned(theirs.rawData));
      assert.equal(await new x509.X509Crl(ours).verify({ publicKey: people.certificate }), true);
    }
  });

  it('has its instants to the second, with two digits for the year until 2049 and four from 2050 on', () => {
    assert.equal(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1'), '\x17\x0d491231235959Z');
    assert.equal(time(new Date('2050-01-01T00:00:00.001Z')).toString('latin1'), '\x18\x0f20500101000000Z');
  });

  it('names an address with letters beyond ASCII so that another maker’s program reads it', async () => {
    for (const email of ['joão@exemplo.com.br', 'bia@exemplo.com.br']) {
      const { der } = await issueSignerCertificate(app.ctx, { name: 'João', email }, await newKeyPair(false), new Date('2030-01-01'));
      const args = ['x509', '-inform', 'DER', '-noout', '-ext', 'subjectAltName', '-nameopt', 'utf8'];
      assert.ok(execFileSync('openssl', args, { input: der }).toString().includes(email));
    }
  });

  it('names a key as everybody computes it', async () => {
    const keys = await newKeyPair(true);
    const { der } = await issueSignerCertificate(app.ctx, { name: 'Bia', email: 'b@x.br' }, keys, new Date('2030-01-01'));
    const point = Buffer.from(await webcrypto.subtle.exportKey('raw', keys.publicKey));
    const named = new x509.X509Certificate(der).getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
    assert.equal(named, createHash('sha1').update(point).digest('hex'));
  });
});
