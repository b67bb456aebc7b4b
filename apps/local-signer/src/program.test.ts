import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { LocalSignerRequest } from '@lavra/api';
import { fromBase64 } from '@lavra/pades';
import { createIcpBrasilPki } from '@lavra/make-believe';
import type { IcpBrasilPki, IssuedCertificate } from '@lavra/make-believe';
import { sha256Hex } from './session.ts';
import { ask } from './testing/page.ts';
import { Person } from './testing/person.ts';
import { assertSignsPdf, prepareFor, signRequest } from './testing/prepared.ts';
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
    const { status, json } = await ask(on, from.origin, from.ask());
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
    on.call(from.origin, 'POST', `/v2/sessions/${session}/sign`, { request: from.ask(changes) });

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
      await opened.person.see('Pode fechar esta janela');
    });
  }

  test('both tokens are listed with holder, masked CPF and issuer, and no authority is', async () => {
    const { list, session } = await consented();
    assert.match(list, /Token da Ana/);
    assert.match(list, /Token do Bruno/);
    assert.match(list, /\*\*\*\.982\.247-\*\*/);
    assert.doesNotMatch(list, /52998224725/);
    assert.equal(list.split('type="radio"').length - 1, 3);
    await program.call(site.origin, 'DELETE', `/v2/sessions/${session}`);
  });

  test('a token that keeps its certificate with a filling behind it signs with the certificate', async () => {
    using padding = softTokens();
    padding.add(token);
    padding.put(token, { ...onToken, certificate: Buffer.concat([onToken.certificate, Buffer.alloc(16)]), chain: [] });
    await using here = await startProgram(['--module', softTokenModule], padding.environment);
    await using elsewhere = await startSite();
    const opened = await consented(elsewhere, here);
    await choose(opened, onToken, elsewhere, here);
    const pdf = await prepareFor(onToken.certificate, onToken.chain);
    assert.equal((await sign(opened.session, signRequest(pdf), elsewhere, here)).status, 202);
    await opened.person.see('PIN do token');
    await opened.person.press('sign', { pin: token.pin });
    const state = await here.settled(elsewhere.origin, opened.session);
    assert.equal(state.state, 'signed');
    if (state.state === 'signed') await assertSignsPdf(pdf, state.signatures[0]?.value ?? '');
  });

  test('before consent the window and the page see no certificate', async () => {
    const { json } = await ask(program, site.origin, site.ask());
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

  test('three wrong PINs end the window; after them the token is let alone in every other one', async () => {
    using drawer = softTokens();
    drawer.add(token);
    drawer.put(token, onToken);
    await using here = await startProgram(['--module', softTokenModule], drawer.environment);
    await using from = await startSite();
    const pdf = await prepareFor(onToken.certificate, onToken.chain);
    const begin = async () => {
      const opened = await consented(from, here);
      await choose(opened, onToken, from, here);
      assert.equal((await sign(opened.session, signRequest(pdf), from, here)).status, 202);
      await opened.person.see('PIN do token');
      return opened;
    };
    const { session, person } = await begin();
    for (const pin of ['0000', '1111']) {
      await person.press('sign', { pin });
      await person.see('O PIN não está certo');
      assert.deepEqual(await here.state(from.origin, session), { state: 'waiting' });
    }
    await person.press('sign', { pin: '2222' });
    assert.deepEqual(await here.settled(from.origin, session), { state: 'failed', code: 'PIN_TRIES' });
    assert.match(await person.look(), /errado três vezes/);
    await person.press('sign', { pin: token.pin });
    assert.deepEqual(await here.state(from.origin, session), { state: 'failed', code: 'PIN_TRIES' }, 'nor with the right one');

    const again = await begin();
    for (const pin of ['3333', token.pin]) {
      await again.person.press('sign', { pin });
      assert.match(await again.person.see('não chegou ao token'), /Espere alguns minutos/);
    }
    assert.deepEqual(await here.state(from.origin, again.session), { state: 'waiting' });
  });

  test('a token pulled out between choice and PIN is told, and that it is back is enough to sign', async () => {
    const opened = await consented();
    await choose(opened, onToken);
    const pdf = await prepareFor(onToken.certificate, onToken.chain);
    await sign(opened.session, signRequest(pdf));
    await opened.person.see('PIN do token');
    const putBack = drawer.pullOut();
    await opened.person.press('sign', { pin: token.pin });
    await opened.person.see('foi retirado');
    putBack();
    await opened.person.press('sign', { pin: token.pin });
    assert.equal((await program.settled(site.origin, opened.session)).state, 'signed');
  });

  test('without its token a signature that is given up says TOKEN_REMOVED', async () => {
    const opened = await consented();
    await choose(opened, onToken);
    await sign(opened.session, signRequest(await prepareFor(onToken.certificate, onToken.chain)));
    await opened.person.see('PIN do token');
    const putBack = drawer.pullOut();
    await opened.person.press('sign', { pin: token.pin });
    await opened.person.see('foi retirado');
    await opened.person.press('refuse');
    assert.deepEqual(await program.state(site.origin, opened.session), { state: 'failed', code: 'TOKEN_REMOVED' });
    putBack();
  });

  test('with no token in any reader the window says so, and giving up says CERTIFICATE_NONE', async () => {
    const putBack = drawer.pullOut();
    const opened = await consented();
    assert.match(opened.list, /Nenhum token ou cartão com certificado/);
    await opened.person.press('refuse');
    assert.deepEqual(await program.state(site.origin, opened.session), { state: 'failed', code: 'CERTIFICATE_NONE' });
    putBack();
  });

  test('the second request goes on with the same documents and certificate, and signs nothing but signed attributes for it', async () => {
    const opened = await consented();
    const early = await prepareFor(onToken.certificate, onToken.chain);
    assert.equal((await sign(opened.session, signRequest(early))).json.code, 'REQUEST_INVALID', 'before a certificate is chosen');
    await choose(opened, onToken);
    const refused = async (changes: Partial<LocalSignerRequest>) => {
      const { status, json } = await sign(opened.session, changes);
      assert.deepEqual([status, json.code], [400, 'REQUEST_INVALID']);
    };
    const good = signRequest(early);
    const blob = Buffer.from('transfira tudo').toString('base64');
    await refused(signRequest(early, { signedAttributes: blob }));
    await refused(signRequest(early, { digest: 'sha512' }));
    await refused(signRequest(early, { sha256: 'a'.repeat(64) }));
    await refused(signRequest(early, { name: 'outro.pdf' }));
    await refused({ ...good, title: 'Outro processo' });
    await refused({ ...good, certificate: sha256Hex(onOther.certificate) });
    await refused({ ...good, documents: [...(good.documents ?? []), { ...sampleDocument, documentId: 'd2' }] });
    const foreign = await prepareFor(onOther.certificate, onOther.chain);
    await refused({ ...signRequest(foreign), certificate: sha256Hex(onToken.certificate) });
    await refused({ ...good, kind: 'certificate' });
    assert.equal((await sign(opened.session, good)).status, 202);
    await opened.person.press('refuse');
    assert.deepEqual(await program.state(site.origin, opened.session), { state: 'failed', code: 'REFUSED_BY_USER' });
  });

  test('a session belongs to the page that opened it', async () => {
    await using stranger = await startSite();
    const opened = await consented();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/sign'],
    ] as const) {
      const body = method === 'POST' ? { request: stranger.ask({ kind: 'sign' }) } : undefined;
      const { status, json } = await program.call(stranger.origin, method, `/v2/sessions/${opened.session}${path}`, body);
      assert.deepEqual([status, json.code], [404, 'SESSION_UNKNOWN']);
    }
    assert.equal((await program.call(site.origin, 'DELETE', `/v2/sessions/${opened.session}`)).status, 204);
    assert.equal((await program.call(site.origin, 'GET', `/v2/sessions/${opened.session}`)).status, 404);
    await opened.person.see('Nada foi assinado');
  });
});
