import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { realmRoles } from './realm-roles.ts';

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const jwt = (claims: object, alg = 'RS256') => `${encode({ alg })}.${encode(claims)}.c2ln`;
const half = (hash: string, text: string) => {
  const whole = createHash(hash).update(text).digest();
  return whole.subarray(0, whole.length / 2).toString('base64url');
};

function rolesOf(accessToken: string, { alg = 'RS256', atHash, claims = {} }: { alg?: string; atHash?: string; claims?: object }) {
  const idToken = jwt({ sub: 'ana', ...(atHash === undefined ? {} : { at_hash: atHash }) }, alg);
  const tokens = { idToken, accessToken, refreshToken: null, expiresInSeconds: 300 };
  return realmRoles({ subject: 'ana', claims: { sub: 'ana', ...claims }, tokens });
}

describe('realm roles', () => {
  const access = jwt({ sub: 'ana', realm_access: { roles: ['user', 'admin', 7] } });

  it('are read from what the provider says of the person', () => {
    assert.deepEqual(rolesOf('opaque', { claims: { realm_access: { roles: ['user'] } } }), ['user']);
    assert.deepEqual(rolesOf(access, { claims: { realm_access: { roles: [] } }, atHash: half('sha256', access) }), []);
  });

  it('are read from the access token that the ID token vouches for, whatever its algorithm', () => {
    for (const [alg, hash] of [
      ['RS256', 'sha256'],
      ['ES384', 'sha384'],
      ['PS512', 'sha512'],
      ['EdDSA', 'sha512'],
    ] as const)
      assert.deepEqual(rolesOf(access, { alg, atHash: half(hash, access) }), ['user', 'admin'], alg);
  });

  it('are none in an access token that the ID token does not vouch for', () => {
    const forged = jwt({ sub: 'ana', realm_access: { roles: ['admin'] } });
    for (const atHash of [half('sha256', access).slice(1), half('sha512', forged), half('sha256', `${forged}x`), ''])
      assert.deepEqual(rolesOf(forged, { atHash }), [], atHash);
    assert.deepEqual(rolesOf(forged, {}), []);
    assert.deepEqual(rolesOf(forged, { alg: 'none', atHash: half('sha256', forged) }), []);
  });

  it('are none in an access token of somebody else, nor in one that is no JWT', () => {
    const others = jwt({ sub: 'bia', realm_access: { roles: ['admin'] } });
    assert.deepEqual(rolesOf(others, { atHash: half('sha256', others) }), []);
    for (const opaque of ['opaque', 'a.b.c', `${encode({})}.${encode(null)}.x`])
      assert.deepEqual(rolesOf(opaque, { atHash: half('sha256', opaque) }), []);
  });
});
