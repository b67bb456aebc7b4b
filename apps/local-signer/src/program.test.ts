import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { LocalSignerRequest } from '@lavra/api';
import { completeSignature, fromBase64, joinRevisions, memorySource, openPdf, prepareSignature, verifyPdf } from '@lavra/pades';
import type { PreparedSignature } from '@lavra/pades';
import { createIcpBrasilPki } from '@lavra/test-pki';
import type { IcpBrasilPki, IssuedCertificate } from '@lavra/test-pki';
import { sha256Hex } from './session.ts';
import { Person } from './testing/person.ts';
import { startProgram } from './testing/program.ts';
import type { Program } from './testing/program.ts';
import { sampleDocument, startSite } from './testing/site.ts';
import type { Site } from './testing/site.ts';
import { softTokenModule, softTokens } from './testing/soft-token.ts';
import type { SoftTokens } from './testing/soft-token.ts';

const ana = { name: 'Ana Beatriz Souza', cpf: '52998224725' };
const bruno = { name: 'Bruno Lima', cpf: '11144477735' };
const token = { label: 'Token da Ana', pin: '4321' };
const other = { label: 'Token do Bruno', pin: '987654' };

function onePage(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>',
    '<</Type/Page/Parent 2 0 R/Resources<<>>>>',
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return new TextEncoder().encode(
    `${text}xref\n0 4\n0000000000 65535 f \n${rows}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

interface Prepared {
  readonly bytes: Uint8Array;
  readonly prepared: PreparedSignature;
}

async function prepareFor(certificate: Uint8Array, chain: readonly Uint8Array[]): Promise<Prepared> {
  const bytes = onePage();
  const pdf = await openPdf(memorySource(bytes));
  return { bytes, prepared: await prepareSignature(pdf, { field: { name: 'Assinatura' }, certificate, chain, signingTime: new Date() }) };
}

/** The second request for a prepared signature; `changes` are made before it is signed. */
function signRequest({ prepared }: Prepared, changes: Partial<LocalSignerRequest['documents'][number]> = {}): Partial<LocalSignerRequest> {
  const { digest, signedAttributes, certificate } = prepared;
  return {
    kind: 'sign',
    certificate: sha256Hex(fromBase64(certificate)),
    documents: [{ ...sampleDocument, digest, signedAttributes, ...changes }],
  };
}

async function assertSignsPdf({ bytes, prepared }: Prepared, value: string): Promise<void> {
  const revision = await completeSignature(prepared, fromBase64(value));
  const signed = joinRevisions({ offset: 0, bytes }, revision).bytes;
  const report = await verifyPdf(await openPdf(memorySource(signed)), { trust: { anchors: [], intermediates: [] }, at: new Date() });
  assert.equal(report.signatures.length, 1);
}

describe('LAVRA_SIGNER', () => {
  let pki: IcpBrasilPki;
  let onToken: IssuedCertificate;
  let elliptic: IssuedCertificate;
  let onOther: IssuedCertificate;
  let drawer: SoftTokens;
  let program: Program;
  let site: Site;

  before(async () => {
    pki = await createIcpBrasilPki();
    onToken = await pki.issuePerson(ana);
    const keys = (await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])) as never;
    elliptic = await pki.issuePerson(ana, { keys });
    onOther = await pki.issuePerson(bruno);
    drawer = softTokens();
    drawer.add(token);
    drawer.add(other);
    drawer.put(token, onToken);
    drawer.put(token, elliptic);
    drawer.put(other, onOther);
    program = await startProgram(['--module', softTokenModule], drawer.environment);
    site = await startSite();
  });

  after(async () => {
    await site?.[Symbol.asyncDispose]();
    await program?.[Symbol.asyncDispose]();
    drawer?.[Symbol.dispose]();
  });

  /** First request, up to the list of certificates. */
  async function consented(from: Site = site, on: Program = program): Promise<{ session: string; person: Person; list: string }> {
    const { status, json } = await on.call(from.origin, 'POST', '/v1/sessions', { request: from.ask() });
    assert.equal(status, 201, JSON.stringify(json));
    const session = json.session ?? '';
    const person = new Person(await on.nextWindow());
    await person.look();
    assert.equal(await person.press('allow'), 303);
    return { session, person, list: await person.see('Arquivo de certificado') };
  }

  /** Picks a certificate of the list and waits until the page has it. */
  async function choose(
    { session, person, list }: { session: string; person: Person; list: string },
    wanted: IssuedCertificate,
    { origin }: Site = site,
    on: Program = program,
  ): Promise<void> {
    const certificate = new RegExp(`value="(${sha256Hex(wanted.certificate)}-\\d+)"`).exec(list)?.[1];
    assert.ok(certificate, 'not in the list');
    assert.equal(await person.press('choose', { certificate }), 303);
    const state = await on.settled(origin, session);
    assert.ok(state.state === 'certificate' && Buffer.compare(fromBase64(state.certificate), wanted.certificate) === 0);
  }

  const sign = (session: string, changes: Partial<LocalSignerRequest>, from: Site = site, on: Program = program) =>
    on.call(from.origin, 'POST', `/v1/sessions/${session}/sign`, { request: from.ask(changes) });

  for (const kind of ['RSA', 'P-256'] as const) {
    test(`a ${kind} key on a token signs a PDF: consent, choice, PIN`, async () => {
      const wanted = kind === 'RSA' ? onToken : elliptic;
      const opened = await consented();
      await choose(opened, wanted);
      const pdf = await prepareFor(wanted.certificate, wanted.chain);
      assert.equal((await sign(opened.session, signRequest(pdf))).status, 202);
      await opened.person.see('PIN do token');
      assert.deepEqual(await program.state(site.origin, opened.session), { state: 'waiting' });
      await opened.person.press('sign', { pin: token.pin });
      const state = await program.settled(site.origin, opened.session);
      assert.equal(state.state, 'signed');
      if (state.state === 'signed') await assertSignsPdf(pdf, state.signatures[0]?.value ?? '');
      await opened.person.see('Pode fechar esta página');
    });
  }

  test('both tokens are listed with holder, masked CPF and issuer, and no authority is', async () => {
    const { list, session } = await consented();
    assert.match(list, /Token da Ana/);
    assert.match(list, /Token do Bruno/);
    assert.match(list, /\*\*\*\.982\.247-\*\*/);
    assert.doesNotMatch(list, /52998224725/);
    assert.equal(list.split('type="radio"').length - 1, 3);
    await program.call(site.origin, 'DELETE', `/v1/sessions/${session}`);
  });

  test('before consent the window and the page see no certificate', async () => {
    const { json } = await program.call(site.origin, 'POST', '/v1/sessions', { request: site.ask() });
    const person = new Person(await program.nextWindow());
    const page = await person.look();
    assert.match(page, new RegExp(sampleDocument.sha256));
    assert.match(page, new RegExp(site.origin));
    assert.doesNotMatch(page, /Ana Beatriz Souza:|Token da Ana/);
    assert.deepEqual(await program.state(site.origin, json.session ?? ''), { state: 'waiting' });
    await person.press('refuse');
    assert.deepEqual(await program.state(site.origin, json.session ?? ''), { state: 'failed', code: 'REFUSED_BY_USER' });
  });

  test('a wrong PIN is told, the right one then signs; giving up after it says PIN_WRONG', async () => {
    const opened = await consented();
    await choose(opened, onOther);
    const pdf = await prepareFor(onOther.certificate, onOther.chain);
    await sign(opened.session, signRequest(pdf));
    await opened.person.see('PIN do token');
    await opened.person.press('sign', { pin: '000000' });
    await opened.person.see('O PIN não está certo');
    assert.deepEqual(await program.state(site.origin, opened.session), { state: 'waiting' });
    await opened.person.press('sign', { pin: other.pin });
    assert.equal((await program.settled(site.origin, opened.session)).state, 'signed');

    const again = await consented();
    await choose(again, onOther);
    await sign(again.session, signRequest(pdf));
    await again.person.see('PIN do token');
    await again.person.press('sign', { pin: '111111' });
    await again.person.see('O PIN não está certo');
    await again.person.press('refuse');
    assert.deepEqual(await program.state(site.origin, again.session), { state: 'failed', code: 'PIN_WRONG' });
  });
});
