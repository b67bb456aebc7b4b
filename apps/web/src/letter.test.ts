import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { defaultDigitalModel, defaultElectronicModel, defaultGeneralDeadline, defaultIndividualDeadline } from '@lavra/domain';
import { entityScreens, mayOpen } from './entity-screens.ts';
import { readRemembered, remember } from './features/signing/remembered-signer.ts';
import { localeNames } from './lib/i18n.ts';
import { zoneDepth } from './pdf/auto-scroll.ts';
import { clearToken, keepToken } from './lib/session.ts';
import { readToken } from './lib/token.ts';

/** Stands in for what a browser has, as long as a test lasts. */
function stand(context: TestContext, globals: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(globals)) {
    const own = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    context.after(() => (own ? Object.defineProperty(globalThis, name, own) : Reflect.deleteProperty(globalThis, name)));
  }
}

function storage() {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
    held: () => Object.fromEntries(held),
  };
}

const web = (path: string) => readFileSync(`apps/web/src/${path}`, 'utf8');
const indent = (line: string) => line.length - line.trimStart().length;

/** The guards around an address, outermost first: those of the route objects that it stands within, or is (a property to a line). */
function guardsOf(address: string): string[] {
  const named = (line: string) => line.includes(`path: '${address}'`);
  const lines = ['signed-in.routes.tsx', 'routes.tsx'].map((file) => web(file).split('\n')).find((file) => file.some(named));
  assert.ok(lines, `there is no /${address}`);
  const at = lines.findIndex(named);
  const guards: string[] = [];
  const start = lines[at] ?? '';
  let depth = indent(start);
  const beside = guard(lines[at + 1] ?? '');
  if (start.trimStart().startsWith('path:') && beside) guards.push(beside);
  for (const line of lines.slice(0, at).toReversed()) {
    if (line.trim() === '' || indent(line) > depth) continue;
    depth = indent(line);
    const found = guard(line);
    if (found) guards.unshift(found);
  }
  return guards;
}

/** The guard that a line sets, with the authority that it asks for. */
function guard(line: string): string | undefined {
  const [, name, asked] = /^\s*element: <(Require\w+)(?: authority="(\w+)")?/.exec(line) ?? [];
  return [name, asked].filter((word) => word !== undefined).join(' ') || undefined;
}

const open = ['login', 'logout', 'validateLogin', 'validate', 'signer/:id', 'callback/:id', 'accept_invite/:id', 'download/:id', '*'];
const ownAccounts = ['account/register', 'account/activate/:key?', 'account/reset/request', 'account/reset/finish/:key?'];
const users = ['signature', 'signature/process/:id', 'prepare', 'confirm', 'entity'];
const signedIn = ['your_company/:id', 'view_member/:id', 'account', 'account/settings'];

describe('guards, to the letter', () => {
  for (const address of open) it(`opens /${address} to everybody`, () => assert.deepEqual(guardsOf(address), []));
  for (const address of ownAccounts)
    it(`permits /${address} only where the provider is not single sign-on`, () =>
      assert.deepEqual(guardsOf(address), ['RequireOwnAccounts']));
  for (const address of signedIn)
    it(`asks who opens /${address} to sign in`, () => assert.deepEqual(guardsOf(address), ['RequireAccount']));
  for (const address of users)
    it(`keeps /${address} for ROLE_USER`, () => assert.deepEqual(guardsOf(address), ['RequireAccount', 'RequireAuthority ROLE_USER']));
  it('asks for a session, and for passwords of our own, at /account/password', () =>
    assert.deepEqual(guardsOf('account/password'), ['RequireAccount', 'RequireOwnAccounts']));
  it('keeps /admin for ROLE_ADMIN', () => assert.deepEqual(guardsOf('admin'), ['RequireAccount', 'RequireAuthority ROLE_ADMIN']));

  const guards = web('shell/guards.tsx');
  it('sends who is not signed in to /login', () => assert.match(guards, /session === null\)[\s\S]{0,40}<Navigate to="\/login"/));
  it('sends to /signature in single sign-on mode', () =>
    assert.match(web('shell/own-accounts.tsx'), /isSingleSignOn\(\) \? <Navigate to="\/signature"/));
  it('refuses an account without any authority', () => assert.match(guards, /authorities\.length === 0\)[\s\S]{0,200}error\.http\.403/));
  it('says “not authorized” to who lacks the authority', () =>
    assert.match(guards, /function RequireAuthority[\s\S]*t\('error\.http\.403'\)/));

  const authorities = { 'signature-model': 'ROLE_USER', contract: 'ROLE_ADMIN', 'contract-type': 'ROLE_ADMIN' };
  for (const [address, authority] of Object.entries(authorities))
    it(`keeps /${address} for ${authority}`, () =>
      assert.equal(entityScreens.find((screen) => screen.address === address)?.authority, authority));
  it('tells every unknown address that the page does not exist', () =>
    assert.match(web('shell/not-found.page.tsx'), /t\('error\.http\.404'\)/));
});

describe('menus, to the letter', () => {
  const entries = (held: Parameters<typeof mayOpen>[1]) =>
    entityScreens.filter((screen) => !screen.isMinor && mayOpen(screen, held)).map(({ address }) => address);
  const layout = web('shell/layout.tsx');
  const menu = web('shell/menu.tsx');
  const account = web('shell/account-menu.tsx');
  it('shows a user the signature model, and nothing of the administration', () =>
    assert.deepEqual(entries(['ROLE_USER']), ['signature-model']));
  it('shows administrators contract and contract type too', () =>
    assert.deepEqual(entries(['ROLE_USER', 'ROLE_ADMIN']), ['signature-model', 'contract', 'contract-type', 'entity/company']));
  it('shows nothing to an account without authority', () => assert.deepEqual(entries([]), []));
  it('shows everybody the signatures', () => assert.match(menu, /\n {6}<NavLink to="\/signature">\{t\('shell\.signatures'\)\}/));
  it('shows the administration to ROLE_ADMIN alone', () =>
    assert.match(menu, /authorities\.includes\('ROLE_ADMIN'\) && <NavLink to="\/admin">/));
  it('shows their company to its administrators alone', () =>
    assert.match(menu, /company\?\.authority === 'ROLE_ADMIN' && <NavLink to=\{`\/your_company\//));
  it('stands on no page without a session', () => assert.match(layout, /signedIn && <Menu \/>[\s\S]*signedIn && <AccountMenu \/>/));
  it('has the settings at /account/settings', () => assert.match(account, /'\/account\/settings'/));
  it('hides “change password” from who signs in elsewhere', () =>
    assert.match(account, /loginType === 'password' \? \[page\('password', t\('shell\.password'\), '\/account\/password'\)\]/));
  it('signs out at /logout', () => assert.match(account, /page\('logout', t\('shell\.logout'\), '\/logout'\)/));
});

describe('ribbon, cookies, width, keys and defaults, to the letter', () => {
  it('shows the ribbon only where an active profile is the one that display-ribbon-on-profiles names', () =>
    assert.match(web('shell/layout.tsx'), /!data\.activeProfiles\.includes\(data\['display-ribbon-on-profiles'\]\)\) return null/));

  for (const [protocol, secure] of [
    ['https:', '; Secure'],
    ['http:', ''],
  ] as const)
    it(`keeps name and CPF in a cookie for 100 days, for this site and the signer’s page alone (${protocol})`, (context) => {
      const jar = { cookie: '' };
      stand(context, { document: jar, window: { location: { protocol } } });
      const signer = { name: 'Bia Lima', cpf: '52998224725' };
      remember(signer);
      const [pair = '', ...attributes] = jar.cookie.split('; ');
      assert.deepEqual(attributes, ['Max-Age=8640000', 'Path=/signer', 'SameSite=Strict', ...(secure ? ['Secure'] : [])]);
      jar.cookie = `other=1; ${pair}`;
      assert.deepEqual(readRemembered(), signer);
      remember(null);
      assert.match(jar.cookie, /^lavra-signer=; Max-Age=0;/);
    });

  it('keeps the token under jhi-authenticationToken, local with remember-me and else for the session', (context) => {
    const [local, session] = [storage(), storage()];
    stand(context, { localStorage: local, sessionStorage: session });
    keepToken('kept', true);
    assert.deepEqual([local.held(), session.held()], [{ 'jhi-authenticationToken': 'kept' }, {}]);
    keepToken('passing', false);
    assert.deepEqual([local.held(), session.held()], [{}, { 'jhi-authenticationToken': 'passing' }]);
    assert.equal(readToken(), 'passing');
    clearToken();
    assert.deepEqual([local.held(), session.held(), readToken()], [{}, {}, null]);
  });

  const widths = globSync('apps/web/src/**/*.css').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/@media[^{]*\((max|min)-width: ([\d.]+)px\)/g)].map(([, side, px]) => ({
      path,
      side,
      px: Number(px),
    })),
  );
  it('is a telephone’s page below 720 px: what is laid out for one ends where what is laid out for the others begins', () => {
    assert.ok(widths.some(({ side, px }) => side === 'min' && px === 720));
    assert.ok(widths.some(({ side, px }) => side === 'max' && px === 719.98));
    for (const { path, side, px } of widths)
      if (px >= 700 && px < 740) assert.equal(px, side === 'min' ? 720 : 719.98, `${path} has a width of its own`);
  });

  it('scrolls what is dragged to within 125 px of an edge, and no farther from it', () => {
    assert.deepEqual([zoneDepth(126, 0, 800), zoneDepth(125, 0, 800), zoneDepth(674, 0, 800)], [0, 0, 0]);
    assert.ok(zoneDepth(124, 0, 800) < 0 && zoneDepth(676, 0, 800) > 0);
    const scroll = web('pdf/auto-scroll.ts');
    assert.match(scroll, /zoneDepth\(last\.y, Math\.max\(edges\.top, 0\), Math\.min\(edges\.bottom, window\.innerHeight\)\)/);
    assert.match(scroll, /zoneDepth\(last\.x, Math\.max\(edges\.left, 0\), Math\.min\(edges\.right, window\.innerWidth\)\)/);
  });

  it('speaks Portuguese, English and Spanish, Portuguese first', () => {
    assert.deepEqual(Object.keys(localeNames), ['pt-br', 'en', 'es']);
    assert.match(web('lib/i18n.ts'), /=== stored\) \?\? 'pt-br'/);
  });

  it('offers tomorrow plus one hour at minute zero as general deadline, and individual ones a day apart', () => {
    const now = new Date('2026-03-04T15:38:21Z');
    assert.equal(defaultGeneralDeadline(now).toISOString(), '2026-03-05T16:00:00.000Z');
    assert.equal(defaultIndividualDeadline(now, 2).toISOString(), '2026-03-07T16:00:00.000Z');
  });

  it('begins a signature model with 150 by 75, Helvetica 6, padding 5, left, “Meu modelo”, name, CPF and date', () => {
    const { width, height, textFont, textFontSize, textPadding, textAlignment, name } = defaultDigitalModel;
    assert.deepEqual(
      [width, height, textFont, textFontSize, textPadding, textAlignment, name],
      [150, 75, 'HELVETICA', 6, 5, 'LEFT', 'Meu modelo'],
    );
    assert.equal(defaultDigitalModel.customText, 'Assinado digitalmente por:\n$CERT_CN_WO_CPF$\nCPF: $CERT_CPF$\n$SIGN_DATE$');
    assert.match(defaultElectronicModel.customText, /^Assinado eletronicamente por:\n/);
  });

  it('toggles the tool of development by ctrl-h, in development alone', () =>
    assert.match(web('routes.tsx'), /import\.meta\.env\.DEV \? lazyInTime\(async \(\) => \(await import\('\.\/dev\/dev-tool\.tsx'\)/));
  for (const file of ['routes.tsx', 'signed-in.routes.tsx'])
    it(`loads every address’s page in time or says so (${file})`, () =>
      assert.match(web(file), /const pages = pagesInTime\(addresses\);[\s\S]*useRoutes\(pages\)/));
});
