import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { opensslRoot } from '../testing/openssl-authority.ts';
import type { OpensslIssued } from '../testing/openssl-authority.ts';
import { testStamps } from '../testing/stamps-at.ts';
import { verifyPdf } from './verify-pdf.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl';
const day = 86_400_000;
const now = new Date();
const ago = (days: number) => new Date(now.getTime() - days * day);
const ahead = (days: number) => ago(-days);

interface Case {
  anchors: readonly OpensslIssued[];
  crls?: Uint8Array[];
  ocsps?: Uint8Array[];
  /** When a trusted timestamp says the signature existed. */
  stamped?: Date;
  at?: Date;
}

/** Signs with that certificate and answers the verdict: `indication/sub-indication reasons`. */
async function verdictOf(signer: OpensslIssued, { anchors, crls = [], ocsps = [], stamped, at = now }: Case): Promise<string> {
  const stamps = stamped && (await testStamps(now));
  const base = memorySource(simplePdf());
  const signed = await signPdf(await openPdf(base), signer, {
    field: { name: 'a' },
    signingTime: at,
    ...(stamps ? { signatureTimestamp: stamps.at(stamped) } : {}),
  });
  const material = { certificates: [], crls: [...crls, ...(stamps ? [stamps.list] : [])], ocsps };
  const { signatures } = await verifyPdf(await openPdf(memorySource(await readAll(withRevision(base, signed)))), {
    at,
    trust: {
      anchors: [
        ...anchors.map(({ certificate, name }) => ({ certificate, name, uses: ['signature'] as const })),
        ...(stamps ? [{ certificate: stamps.root, name: 'carimbo', uses: ['timestamp'] as const }] : []),
      ],
      intermediates: [],
    },
    revocations: { material: () => Promise.resolve(material) },
  });
  const [one] = signatures;
  return [one?.indication, one?.subIndication, one?.reasons.join(',')].filter(Boolean).join(' ');
}

test('a chain to an anchor, valid and not revoked, is TOTAL-PASSED by CRL and by OCSP', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const issuer = root.subordinate('AC');
  const ana = issuer.issue('Ana');
  const rootList = root.list(ago(1), ahead(30));
  assert.equal(await verdictOf(ana, { anchors: [root], crls: [rootList, issuer.list(ago(1), ahead(1))] }), 'TOTAL-PASSED');
  assert.equal(await verdictOf(ana, { anchors: [root], crls: [rootList], ocsps: [issuer.ocsp(ana)] }), 'TOTAL-PASSED');
  const purpose = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=OCSPSigning';
  const responder = issuer.issue('Respondedor', { extensions: purpose });
  assert.equal(await verdictOf(ana, { anchors: [root], crls: [rootList], ocsps: [issuer.ocsp(ana, responder)] }), 'TOTAL-PASSED');
});

test('an OCSP response counts from the issuer or whom it delegated, and for the certificate it names', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const [ana, rui] = [root.issue('Ana'), root.issue('Rui')];
  const unknown = 'INDETERMINATE TRY_LATER REVOCATION_UNKNOWN';
  assert.equal(await verdictOf(ana, { anchors: [root], ocsps: [root.ocsp(rui)] }), unknown);
  const undelegated = root.issue('Qualquer um');
  assert.equal(await verdictOf(ana, { anchors: [root], ocsps: [root.ocsp(ana, undelegated)] }), unknown);
  const other = opensslRoot('Outra');
  assert.equal(await verdictOf(ana, { anchors: [root], ocsps: [other.ocsp(other.issue('Ana'))] }), unknown);
  root.revoke(ana, ago(0.5));
  assert.equal(await verdictOf(ana, { anchors: [root], ocsps: [root.ocsp(ana)] }), 'INDETERMINATE REVOKED_NO_POE CERTIFICATE_REVOKED');
});

test('a delegated responder that was revoked says nothing', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const ana = root.issue('Ana');
  const purpose = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=OCSPSigning';
  const responder = root.issue('Respondedor', { extensions: purpose });
  const ocsps = [root.ocsp(ana, responder)];
  assert.equal(await verdictOf(ana, { anchors: [root], ocsps }), 'TOTAL-PASSED');
  root.revoke(responder, ago(0.5));
  // A list in which Ana would be good, but too old to say so: only what it says of the responder counts.
  const crls = [root.list(ago(9), ago(2))];
  assert.equal(await verdictOf(ana, { anchors: [root], ocsps, crls }), 'INDETERMINATE TRY_LATER REVOCATION_UNKNOWN');
});

test('without proofs of revocation, or with stale ones, the verdict waits', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const ana = root.issue('Ana');
  const unknown = 'INDETERMINATE TRY_LATER REVOCATION_UNKNOWN';
  assert.equal(await verdictOf(ana, { anchors: [root] }), unknown);
  assert.equal(await verdictOf(ana, { anchors: [root], crls: [root.list(ago(9), ago(2))] }), unknown);
  assert.equal(await verdictOf(ana, { anchors: [root], crls: [opensslRoot('Raiz').list(ago(1), ahead(1))] }), unknown);
});

test('a list counts within its scope only', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const ana = root.issue('Ana');
  const scoped = (flag: string) =>
    root.list(ago(1), ahead(1), `authorityKeyIdentifier=keyid\nissuingDistributionPoint=critical,@i\n[i]\n${flag}=TRUE`);
  assert.equal(await verdictOf(ana, { anchors: [root], crls: [scoped('onlyuser')] }), 'TOTAL-PASSED');
  for (const flag of ['onlyCA', 'onlyAA', 'indirectCRL']) {
    assert.equal(await verdictOf(ana, { anchors: [root], crls: [scoped(flag)] }), 'INDETERMINATE TRY_LATER REVOCATION_UNKNOWN', flag);
  }
});

test('a list of a part of the certificates, named by a directory name, says nothing of the others', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const ana = root.issue('Ana');
  const part = 'authorityKeyIdentifier=keyid\nissuingDistributionPoint=critical,@i\n[i]\nfullname=dirName:part\n[part]\nCN=Parte 7';
  const verdict = await verdictOf(ana, { anchors: [root], crls: [root.list(ago(1), ahead(1), part)] });
  assert.equal(verdict, 'INDETERMINATE TRY_LATER REVOCATION_UNKNOWN');
});

test('a chain that ends nowhere and one that ends at a stranger are told apart', { skip }, async () => {
  const [root, stranger] = [opensslRoot('Raiz'), opensslRoot('Estranha')];
  const issuer = root.subordinate('AC');
  const ana = issuer.issue('Ana');
  assert.equal(
    await verdictOf({ ...ana, chain: [] }, { anchors: [stranger] }),
    'INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND CHAIN_INCOMPLETE',
  );
  assert.equal(await verdictOf(ana, { anchors: [stranger] }), 'INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE CHAIN_UNTRUSTED');
});

test('nobody signs certificates without being an authority, nor deeper than allowed', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const lists = [root.list(ago(1), ahead(1))];
  const usage = 'keyUsage=critical,digitalSignature,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash';
  const bounded = root.subordinate('AC', `basicConstraints=critical,CA:TRUE,pathlen:0\n${usage}`);
  const below = bounded.subordinate('AC funda');
  const deep = below.issue('Ana');
  const all = [...lists, bounded.list(ago(1), ahead(1)), below.list(ago(1), ahead(1))];
  assert.equal(await verdictOf(deep, { anchors: [root], crls: all }), 'INDETERMINATE CHAIN_CONSTRAINTS_FAILURE CHAIN_CONSTRAINTS');
  const keyless = root.subordinate(
    'AC',
    'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature\nsubjectKeyIdentifier=hash',
  );
  const odd = keyless.issue('Bia');
  assert.match(await verdictOf(odd, { anchors: [root], crls: lists }), /CHAIN_CONSTRAINTS_FAILURE CHAIN_CONSTRAINTS/);
});

test('a certificate that is not for signing is doubted', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const extensions = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyEncipherment\nsubjectKeyIdentifier=hash';
  const cipher = root.issue('Cifra', { extensions });
  const crls = [root.list(ago(1), ahead(1))];
  assert.equal(await verdictOf(cipher, { anchors: [root], crls }), 'INDETERMINATE CHAIN_CONSTRAINTS_FAILURE KEY_USAGE');
  for (const purpose of ['critical,timeStamping', 'OCSPSigning', 'serverAuth', 'serverAuth,clientAuth', 'codeSigning']) {
    const usage = `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=${purpose}`;
    const authority = root.issue('Autoridade', { extensions: usage });
    assert.equal(await verdictOf(authority, { anchors: [root], crls }), 'INDETERMINATE CHAIN_CONSTRAINTS_FAILURE KEY_USAGE', purpose);
  }
});

test('an authority signs no documents, and people whose key is for logging in and for mail do', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const crls = [root.list(ago(1), ahead(1))];
  const usage = 'keyUsage=critical,digitalSignature,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash';
  const authority = root.issue('AC', { extensions: `basicConstraints=critical,CA:TRUE\n${usage}` });
  assert.equal(await verdictOf(authority, { anchors: [root], crls }), 'INDETERMINATE CHAIN_CONSTRAINTS_FAILURE KEY_USAGE');
  for (const purpose of ['clientAuth', 'clientAuth,emailProtection', 'emailProtection', '1.3.6.1.5.5.7.3.36', '1.2.3.4']) {
    const extensions = `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=${purpose}`;
    assert.match(await verdictOf(root.issue('Ana', { extensions }), { anchors: [root], crls }), /^TOTAL-PASSED/, purpose);
  }
});

test('an expired certificate needs proof that the signature came before its end', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const old = root.issue('Ana', { from: ago(400), to: ago(35) });
  const kept = `authorityKeyIdentifier=keyid\n2.5.29.60=DER:180F32303130303130313030303030305A`;
  const crls = [root.list(ago(40), ago(34)), root.list(ago(1), ahead(1), kept)];
  assert.equal(await verdictOf(old, { anchors: [root], crls }), 'INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED CERTIFICATE_EXPIRED');
  assert.equal(await verdictOf(old, { anchors: [root], crls, stamped: ago(50) }), 'TOTAL-PASSED');
  const late = await verdictOf(old, { anchors: [root], crls, stamped: ago(3) });
  assert.equal(late, 'INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED CERTIFICATE_EXPIRED');
  const unknown = await verdictOf(old, { anchors: [root] });
  assert.equal(unknown, 'INDETERMINATE OUT_OF_BOUNDS_NO_POE CERTIFICATE_EXPIRED,REVOCATION_UNKNOWN');
});

test('a signature proven older than its certificate has failed', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const young = root.issue('Ana', { from: ago(10) });
  const crls = [root.list(ago(1), ahead(1))];
  assert.equal(await verdictOf(young, { anchors: [root], crls, stamped: ago(5) }), 'TOTAL-PASSED');
  const early = await verdictOf(young, { anchors: [root], crls, stamped: ago(20) });
  assert.equal(early, 'TOTAL-FAILED NOT_YET_VALID CERTIFICATE_NOT_YET_VALID');
});

test('a revoked certificate needs proof that the signature came before the revocation', { skip }, async () => {
  const root = opensslRoot('Raiz');
  const issuer = root.subordinate('AC');
  const ana = issuer.issue('Ana', { from: ago(100) });
  issuer.revoke(ana, ago(20));
  const crls = [root.list(ago(1), ahead(1)), issuer.list(ago(1), ahead(1))];
  assert.equal(await verdictOf(ana, { anchors: [root], crls }), 'INDETERMINATE REVOKED_NO_POE CERTIFICATE_REVOKED');
  assert.equal(await verdictOf(ana, { anchors: [root], crls, stamped: ago(30) }), 'TOTAL-PASSED');
  assert.equal(await verdictOf(ana, { anchors: [root], crls, stamped: ago(10) }), 'INDETERMINATE REVOKED_NO_POE CERTIFICATE_REVOKED');
  const bia = issuer.issue('Bia', { from: ago(100) });
  root.revoke(issuer, ago(20));
  const later = [root.list(ago(1), ahead(1)), issuer.list(ago(1), ahead(1))];
  assert.equal(await verdictOf(bia, { anchors: [root], crls: later }), 'INDETERMINATE REVOKED_CA_NO_POE AUTHORITY_REVOKED');
});
