import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authoritiesOfRoles, hasAccountPermission, permissionsOfRoles } from './account-permissions.ts';

describe('permissions of an account', () => {
  it('are none without an authority', () => {
    assert.equal(hasAccountPermission('LOGIN', { authorities: [], granted: null }), false);
    assert.equal(hasAccountPermission('LOGIN', { authorities: [], granted: ['LOGIN'] }), false);
  });

  it('are all of them where no provider of single sign-on says otherwise', () => {
    assert.equal(hasAccountPermission('CREATE_PROCESS', { authorities: ['ROLE_USER'], granted: null }), true);
  });

  it('are what the provider of single sign-on gives', () => {
    const needed = { LOGIN: null, CREATE_PROCESS: 'lavra-create' };
    const granted = permissionsOfRoles(['user'], needed);
    assert.deepEqual(granted, ['LOGIN']);
    assert.equal(hasAccountPermission('LOGIN', { authorities: ['ROLE_USER'], granted }), true);
    assert.equal(hasAccountPermission('CREATE_PROCESS', { authorities: ['ROLE_USER', 'ROLE_ADMIN'], granted }), false);
    assert.deepEqual(permissionsOfRoles(['lavra-create'], needed), ['LOGIN', 'CREATE_PROCESS']);
  });
});

describe('realm roles', () => {
  it('user and admin map to ROLE_USER and ROLE_ADMIN, and any authenticated user gets ROLE_USER', () => {
    assert.deepEqual(authoritiesOfRoles(['user']), ['ROLE_USER']);
    assert.deepEqual(authoritiesOfRoles(['offline_access', 'admin']), ['ROLE_USER', 'ROLE_ADMIN']);
    assert.deepEqual(authoritiesOfRoles([]), ['ROLE_USER']);
    assert.deepEqual(authoritiesOfRoles(['Admin', 'realm-admin', 'ROLE_ADMIN']), ['ROLE_USER']);
  });
});
