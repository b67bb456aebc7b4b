import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatCnpj, parseCnpj } from './cnpj.ts';
import { assertStaysAdministered, checkedCompany, invitedEmailFault, pastedEmails, readableOn } from './company.ts';

describe('a CNPJ', () => {
  it('is fourteen digits, or twelve digits and letters with two check digits; the official example and a known one are right', () => {
    assert.equal(parseCnpj('11.222.333/0001-81'), '11222333000181');
    // Receita Federal's own example of the alphanumeric one.
    assert.equal(parseCnpj('12.abc.345/01de-35'), '12ABC34501DE35');
  });

  it('is refused with a wrong check digit, letters in their place, fourteen equal digits, or another length', () => {
    for (const wrong of [
      '11222333000182',
      '12ABC34501DE36',
      '12ABC34501DEA5',
      '00000000000000',
      '1122233300018',
      '112223330001811',
      '12ÁBC34501DE35',
      '',
    ])
      assert.equal(parseCnpj(wrong), null, wrong);
  });

  it('is shown with its mask, as far as it is typed', () => {
    assert.equal(formatCnpj('12abc34501de35'), '12.ABC.345/01DE-35');
    assert.equal(formatCnpj('11222'), '11.222');
    assert.equal(formatCnpj('11222333000181999'), '11.222.333/0001-81');
  });
});

describe('an invited address', () => {
  it('has the shape x@y.z and is at no free mail service', () => {
    assert.equal(invitedEmailFault('ana@empresa.com.br'), null);
    for (const bad of ['ana', 'ana@', 'ana@empresa', '@empresa.com']) assert.equal(invitedEmailFault(bad), 'company.emailInvalid', bad);
    for (const free of ['ana@gmail.com', 'ANA@Hotmail.com', 'ana@yahoo.com.br', 'ana@uol.com.br', 'ana@outlook.com'])
      assert.equal(invitedEmailFault(free), 'company.emailFree', free);
  });

  it('is taken out of a pasted list, whatever stands between and around', () => {
    const pasted = 'ana@a.com, Bia Lima <bia@b.com>;\ncaio@c.com  dora@d.com\tsem-arroba';
    assert.deepEqual(pastedEmails(pasted), ['ana@a.com', 'bia@b.com', 'caio@c.com', 'dora@d.com', 'sem-arroba']);
    assert.deepEqual(pastedEmails(' \n;,'), []);
  });
});

describe('a company', () => {
  it('keeps what is left out, and loses what is null or blank', () => {
    assert.deepEqual(checkedCompany({ name: ' Padaria  São Bento ' }), { name: 'Padaria São Bento' });
    assert.deepEqual(checkedCompany({ name: 'P', cnpj: '', maxTime: null, maxDocSize: '20' }), {
      name: 'P',
      cnpj: null,
      maxTime: null,
      maxDocSize: 20,
    });
  });

  it('is not left without an administrator while it has members; who is alone may go', () => {
    const ana = { userId: 'ana', role: 'admin', isActive: true } as const;
    const bia = { userId: 'bia', role: 'member', isActive: true } as const;
    const caio = { userId: 'caio', role: 'admin', isActive: true } as const;
    assert.throws(() => assertStaysAdministered([ana, bia], 'ana', 'gone'), { code: 'company.lastAdministrator' });
    assert.throws(() => assertStaysAdministered([ana], 'ana', 'member'), { code: 'company.lastAdministrator' });
    assertStaysAdministered([ana], 'ana', 'gone');
    assertStaysAdministered([ana, bia], 'bia', 'gone');
    assertStaysAdministered([ana, bia, caio], 'ana', 'member');
  });

  it('counts nobody whose account is shut', () => {
    const ana = { userId: 'ana', role: 'admin', isActive: true } as const;
    const bia = { userId: 'bia', role: 'member', isActive: true } as const;
    const shut = { userId: 'caio', role: 'admin', isActive: false } as const;
    assert.throws(() => assertStaysAdministered([ana, bia, shut], 'ana', 'gone'), { code: 'company.lastAdministrator' });
    assert.throws(() => assertStaysAdministered([ana, shut], 'ana', 'member'), { code: 'company.lastAdministrator' });
    assertStaysAdministered([ana, shut], 'ana', 'gone');
    assertStaysAdministered([ana, bia, shut], 'caio', 'gone');
  });

  it('has words on its colours that can be read: black or white, 4.5 to 1 at least', () => {
    assert.equal(readableOn('#0a3635'), '#ffffff');
    assert.equal(readableOn('#ffd400'), '#000000');
    assert.equal(readableOn('#ff0000'), '#000000');
  });
});
