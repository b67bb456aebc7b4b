import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createPscClient } from './client.ts';
import { configurePscs, locatePsc } from './configure.ts';
import { readCertificates, readSignatureValue } from './encodings.ts';
import { identificationOf, isSameHolder } from './identification.ts';
import type { PscFetch } from './network.ts';
import { challengeOf } from './pkce.ts';
import { isPscId, providers, pscIds } from './providers.ts';
import { grantedScope, scopeFor } from './scopes.ts';
import { refuses, someHashes } from './testing/story.ts';

const cpf = '01234567890';
const settings = { clientId: 'lavra', clientSecret: 'segredo', baseUrl: 'https://psc.invalid' };
const start = new Date('2026-11-21T12:00:00Z');

/** A client whose provider says what it is told to say. */
function told(status: number, text: string, id: 'SYN' | 'VIDAAS' = 'SYN') {
  const asked: { url: string; method: string; headers: Record<string, string>; body: string | undefined }[] = [];
  const answering: PscFetch = (url, { method, headers, body }) => {
    asked.push({ url, method, headers, body });
    return Promise.resolve({ status, body: text === '' ? null : (new Response(text).body as ReadableStream<Uint8Array>) });
  };
  const outside = { fetch: answering, now: () => start, random: (length: number) => new Uint8Array(length).fill(7) };
  return { psc: createPscClient(configurePscs({ [id]: settings }), outside), asked };
}

const authorization = {
  psc: 'SYN',
  accessToken: 'ficha',
  scope: 'single_signature',
  expiresAt: '2026-11-21T12:05:00Z',
  holderConfirmed: true,
  slotAlias: null,
} as const;

describe('authorize', () => {
  test('PKCE is S256 of RFC 7636, appendix B', async () => {
    assert.equal(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'), 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  test('the address carries exactly what DOC-ICP-17.01 names, and never the verifier or the secret', async () => {
    const pending = await told(200, '').psc.beginAuthorization({
      psc: 'SYN',
      identification: '012.345.678-90',
      hashes: 1,
      redirectUri: 'https://lavra.invalid/callback/psc',
    });
    const url = new URL(pending.url ?? '');
    assert.equal(`${url.origin}${url.pathname}`, 'https://psc.invalid/v0/oauth/authorize');
    const challenge = createHash('sha256').update(pending.codeVerifier).digest('base64url');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      response_type: 'code',
      client_id: 'lavra',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      redirect_uri: 'https://lavra.invalid/callback/psc',
      state: pending.state,
      scope: 'single_signature',
      lifetime: '300',
      login_hint: cpf,
    });
    assert.equal(pending.expiresAt, '2026-11-21T12:01:30.000Z');
    assert.ok(!url.href.includes(pending.codeVerifier) && !url.href.includes('segredo'));
  });

  test('a push may be named in plain text or in JSON, and pending may be 202 or 304', async () => {
    const request = { psc: 'VIDAAS', identification: cpf, hashes: 1, redirectUri: 'x' } as const;
    for (const text of ['code=abc', '"code=abc"', '{"code":"abc"}']) {
      const pending = await told(200, text, 'VIDAAS').psc.beginAuthorization(request);
      assert.equal(pending.transaction, 'abc');
      for (const status of [202, 304]) assert.equal(await told(status, '', 'VIDAAS').psc.pollPush(pending), null);
      await refuses(told(404, '', 'VIDAAS').psc.pollPush(pending), 'PSC_EXPIRED');
      assert.equal(await told(200, '{"authorizationToken":"z","redirectUrl":"push://"}', 'VIDAAS').psc.pollPush(pending), 'z');
    }
    await refuses(told(200, '<html>', 'VIDAAS').psc.beginAuthorization(request), 'PSC_BAD_ANSWER');
  });

  test('the least scope that suffices is asked for', () => {
    assert.equal(scopeFor({ id: 'NEOID', maxHashes: 5 }, 1), 'single_signature');
    assert.equal(scopeFor({ id: 'NEOID', maxHashes: 5 }, 5), 'multi_signature');
    assert.equal(scopeFor({ id: 'NEOID', maxHashes: 5 }, 6), 'signature_session');
    assert.equal(scopeFor({ id: 'SYN', maxHashes: null }, 60), 'multi_signature');
  });

  test('a granted scope may be more than was asked for, or left out, but not less', () => {
    assert.equal(grantedScope('single_signature', 'signature_session openid'), 'single_signature');
    assert.equal(grantedScope('single_signature', ['single_signature']), 'single_signature');
    assert.equal(grantedScope('multi_signature', undefined), 'multi_signature');
    assert.equal(grantedScope('multi_signature', 'single_signature'), null);
  });
});

describe('token', () => {
  test('is used no longer than was asked for, whatever the provider would allow, and shorter where it says so', async () => {
    const pending = await told(200, '').psc.beginAuthorization({ psc: 'SYN', identification: cpf, hashes: 1, redirectUri: 'x' });
    const endOf = async (expiresIn: unknown) =>
      (await told(200, JSON.stringify({ access_token: 'ficha', expires_in: expiresIn })).psc.exchangeCode(pending, 'c')).expiresAt;
    assert.equal(await endOf(604_800), '2026-11-21T12:05:00.000Z');
    assert.equal(await endOf(undefined), '2026-11-21T12:05:00.000Z');
    assert.equal(await endOf('60'), '2026-11-21T12:01:00.000Z');
    assert.equal(await endOf(-1), '2026-11-21T12:00:00.000Z');
  });
});

describe('user-discovery', () => {
  const slots = async (text: string) => (await told(200, text).psc.findCertificates(cpf)).availablePscs[0]?.slots;
  const code = async (status: number, text: string) => (await told(status, text).psc.findCertificates(cpf)).unanswered[0]?.code;

  test('the question is the norm’s, the CPF in the body only', async () => {
    const { psc, asked } = told(200, '{"status":"N"}');
    await psc.findCertificates('012.345.678-90');
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), {
      client_id: 'lavra',
      client_secret: 'segredo',
      user_cpf_cnpj: 'CPF',
      val_cpf_cnpj: cpf,
    });
    assert.equal(asked[0]?.url, 'https://psc.invalid/v0/oauth/user-discovery');
  });

  test('slots are read as a list, one object, bare names, or nothing at all', async () => {
    const one = [{ alias: 'a', label: 'Ana' }];
    assert.deepEqual(await slots('{"status":"S","slots":[{"slot_alias":"a","label":"Ana"}]}'), one);
    assert.deepEqual(await slots('[{"status":"s","slots":{"slot_alias":"a","label":"Ana"}}]'), one);
    assert.deepEqual(await slots('\uFEFF{"status":true,"slots":["a"]}'), [{ alias: 'a', label: null }]);
    assert.deepEqual(await slots('"{\\"status\\":\\"S\\"}"'), [{ alias: null, label: null }]);
  });

  test('what is no answer is no "no"', async () => {
    assert.equal(await code(200, '{}'), 'PSC_BAD_ANSWER');
    assert.equal(await code(200, ''), 'PSC_BAD_ANSWER');
    assert.equal(await code(200, '[]'), 'PSC_BAD_ANSWER');
    assert.equal(await code(302, ''), 'PSC_BAD_ANSWER');
    assert.equal(await code(200, '{"status":"erro"}'), 'PSC_REQUEST_REFUSED');
    assert.equal(await code(500, '{"error":"invalid_client"}'), 'PSC_CREDENTIALS_REFUSED');
    assert.equal(await code(400, '{"error":{"code":"invalid_scope"}}'), 'PSC_SCOPE_REFUSED');
    assert.equal(await code(401, ''), 'PSC_CREDENTIALS_REFUSED');
    assert.equal(await code(200, ' '.repeat(5 << 20)), 'PSC_BAD_ANSWER');
  });
});

describe('signature', () => {
  test('hashes travel in the provider’s encoding with the algorithm’s identifier', async () => {
    const { psc, asked } = told(200, '{"signatures":[]}');
    await refuses(psc.signHashes(authorization, { certificateAlias: 'a', hashes: someHashes(1) }), 'PSC_WRONG_HASH_COUNT');
    const [hash] = someHashes(1);
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), {
      certificate_alias: 'a',
      hashes: [
        {
          id: 'documento-1',
          alias: 'Contrato 1.pdf',
          hash: Buffer.from(hash?.hash ?? []).toString('base64'),
          hash_algorithm: '2.16.840.1.101.3.4.2.1',
          signature_format: 'RAW',
        },
      ],
    });
    assert.equal(asked[0]?.headers['authorization'], 'Bearer ficha');
  });

  test('a value is read however it is written', () => {
    const value = createHash('sha512').update('a').digest();
    const long = Buffer.concat([value, value, value, value]);
    const lines = long.toString('base64').replaceAll(/.{64}/g, '$&\r\n');
    const ways = [long.toString('base64'), long.toString('base64url'), long.toString('hex'), long.toString('hex').toUpperCase(), lines];
    for (const written of [...ways, `-----BEGIN PKCS7-----\n${lines}\n-----END PKCS7-----`]) {
      assert.deepEqual(Buffer.from(readSignatureValue(written) ?? []), long);
    }
    for (const written of ['', '<b>', 'AAAA', 'á'.repeat(99)]) assert.equal(readSignatureValue(written), null);
  });

  test('ECDSA as r‖s becomes DER, DER stays', () => {
    const pair = Buffer.concat([Buffer.alloc(32, 0xff), Buffer.alloc(31), Buffer.of(1)]);
    const der = Buffer.from(`3026022100${'ff'.repeat(32)}020101`, 'hex');
    assert.deepEqual(Buffer.from(readSignatureValue(pair.toString('base64')) ?? []), der);
    const plain = Buffer.from(`3044022012${'34'.repeat(31)}022056${'78'.repeat(31)}`, 'hex');
    assert.deepEqual(Buffer.from(readSignatureValue(plain.toString('hex')) ?? []), plain);
  });
});

test('a certificate is PEM, a chain of PEM, PEM with written line breaks, or base64', () => {
  const der = Buffer.concat([Buffer.of(0x30, 0x82, 1, 0), Buffer.alloc(256, 3)]);
  const base64 = der.toString('base64');
  const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
  for (const written of [base64, pem, pem.replaceAll('\n', '\\n')]) assert.deepEqual(readCertificates(written).map(Buffer.from), [der]);
  assert.equal(readCertificates(pem + pem).length, 2);
  for (const written of ['', 'bm8gY2VydGlmaWNhdGU=', '<html>']) assert.deepEqual(readCertificates(written), []);
});

describe('configuration', () => {
  const refusesToConfigure = (given: Parameters<typeof configurePscs>[0]) =>
    assert.throws(() => configurePscs(given), { code: 'PSC_NOT_CONFIGURED' });

  test('the providers are the specification’s, and those without a public address start disabled', () => {
    assert.deepEqual(Object.keys(providers), [...pscIds]);
    const pair = { clientId: 'a', clientSecret: 'b' };
    for (const id of ['REMOTEID', 'DSCLOUD', 'SYN'] as const) {
      refusesToConfigure({ [id]: pair });
      assert.equal(configurePscs({ [id]: { ...pair, baseUrl: 'https://psc.invalid/x/v0/oauth/' } })[0]?.baseUrl, 'https://psc.invalid/x');
    }
    for (const id of ['BIRDID', 'NEOID', 'SAFEID', 'VIDAAS'] as const) {
      assert.equal(configurePscs({ [id]: pair })[0]?.baseUrl, providers[id].production);
    }
    assert.deepEqual(configurePscs({ BIRDID: {} }), []);
    assert.ok(isPscId('SYN') && !isPscId('LAVRA_SIGNER'));
  });

  test('half a pair of credentials, an unknown name and an address in the clear are refused at the start', () => {
    refusesToConfigure({ BIRDID: { clientId: 'a' } });
    refusesToConfigure({ BIRDID: { clientSecret: 'a' } });
    refusesToConfigure({ OUTRO: settings });
    for (const baseUrl of ['http://psc.invalid', 'ftp://psc.invalid', 'nada', 'https://a:b@psc.invalid']) {
      refusesToConfigure({ SYN: { ...settings, baseUrl } });
    }
    refusesToConfigure({ NEOID: { clientId: 'a', clientSecret: 'b', environment: 'homologation' } });
  });

  test('an installation may know better: encoding, formats, maximum, mode', () => {
    const better = { baseUrl: 'https://psc.invalid', hashEncoding: 'hex', formats: ['RAW'], maxHashes: 3, authorization: 'push' } as const;
    const { hashEncoding, formats, maxHashes, authorization: mode } = locatePsc('SYN', better);
    assert.deepEqual([hashEncoding, formats, maxHashes, mode], ['hex', ['RAW'], 3, 'push']);
    assert.equal(locatePsc('NEOID', { maxHashes: null }).maxHashes, null);
  });
});

test('the holder is compared without mask, and with the zeros that a number loses', () => {
  assert.deepEqual(identificationOf('12.abc.345/01DE-35'), { type: 'CNPJ', value: '12ABC34501DE35' });
  assert.ok(isSameHolder(identificationOf(cpf), '1234567890'));
  assert.ok(isSameHolder(identificationOf(cpf), '012.345.678-90'));
  assert.ok(!isSameHolder(identificationOf(cpf), '11144477735'));
});
