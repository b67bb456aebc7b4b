import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Browser, chromium, type Page } from '@playwright/test';
import { type Product, startProduct } from '../e2e/product.ts';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { type Keycloak, keycloakAddress, type Realm, startKeycloak } from './keycloak.ts';

const LOGIN_ROLE = 'entra no lavra';
const CREATE_ROLE = 'cria processos';
const password = randomBytes(12).toString('base64url');

const people = [
  { username: 'ana', firstName: 'Ana', lastName: 'Conceição', emailVerified: true, realmRoles: ['user', LOGIN_ROLE, CREATE_ROLE] },
  { username: 'bruno', firstName: 'Bruno', lastName: 'Assis', emailVerified: true, realmRoles: ['admin', LOGIN_ROLE] },
  { username: 'carla', firstName: 'Carla', lastName: 'Nunes', emailVerified: true, realmRoles: ['user', CREATE_ROLE] },
  { username: 'davi', firstName: 'Davi', lastName: 'Lima', emailVerified: false, realmRoles: ['user', LOGIN_ROLE] },
];

function realmFor(address: string, secret: string): Realm {
  return {
    realm: 'empresa',
    enabled: true,
    // In seconds; within the last minute from the beginning, so that an open page asks every time that it looks.
    accessTokenLifespan: 60,
    roles: { realm: ['user', 'admin', LOGIN_ROLE, CREATE_ROLE].map((name) => ({ name })) },
    clients: [
      {
        clientId: 'lavra',
        secret,
        redirectUris: [`${address}/login/return/empresa`],
        attributes: { 'post.logout.redirect.uris': `${address}/`, 'pkce.code.challenge.method': 'S256' },
      },
    ],
    users: people.map(({ username, ...rest }) => ({
      username,
      ...rest,
      enabled: true,
      email: `${username}@empresa.com.br`,
      credentials: [{ type: 'password', value: password, temporary: false }],
    })),
  };
}

interface World {
  product: Product;
  keycloak: Keycloak;
  browser: Browser;
}

/** The whole mode in Chromium against a real Keycloak: true when everything is as the specification says. */
export async function judgedByKeycloak(target: string): Promise<boolean> {
  const begun = Date.now();
  const [port, keycloakPort] = await Promise.all([freePort(), freePort()]);
  const address = `http://localhost:${port}`;
  const secret = randomBytes(24).toString('base64url');
  const realm = realmFor(address, secret);
  const starting = [
    startKeycloak(target, realm, keycloakPort),
    startProduct(environmentOf({ port, address, secret, issuer: `${keycloakAddress(keycloakPort)}/realms/${realm.realm}` })),
    chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
    }),
  ] as const;
  try {
    const [keycloak, product, browser] = await Promise.all(starting);
    const good = await told({ product, keycloak, browser });
    process.stdout.write(`  in ${Math.round((Date.now() - begun) / 1000)} s\n`);
    return good;
  } finally {
    const [keycloak, product, browser] = await Promise.allSettled(starting);
    if (browser.status === 'fulfilled') await browser.value.close();
    await Promise.all([keycloak, product].map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)));
  }
}

function environmentOf(at: { port: number; address: string; secret: string; issuer: string }): Record<string, string> {
  return {
    PORT: String(at.port),
    LAVRA_PUBLIC_URL: at.address,
    LAVRA_SSO: 'true',
    LAVRA_SSO_LOGIN_ROLE: LOGIN_ROLE,
    LAVRA_SSO_CREATE_PROCESS_ROLE: CREATE_ROLE,
    LAVRA_OIDC_PROVIDERS: 'empresa',
    LAVRA_OIDC_EMPRESA_ISSUER: at.issuer,
    LAVRA_OIDC_EMPRESA_CLIENT_ID: 'lavra',
    LAVRA_OIDC_EMPRESA_CLIENT_SECRET: at.secret,
  };
}

/** Each chapter is judged, whatever the others say. */
async function told(world: World): Promise<boolean> {
  let good = 0;
  for (const [name, chapter] of Object.entries(chapters)) {
    const context = await world.browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 860 } });
    await context.clock.install();
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    try {
      await chapter(world, page);
      good += 1;
    } catch (error) {
      process.stdout.write(`  ${name}: ${error instanceof Error ? error.message : String(error)}\n  at ${page.url().split('?')[0]}\n`);
    } finally {
      await context.close();
    }
  }
  process.stdout.write(`Keycloak: ${good} of ${Object.keys(chapters).length} as the specification says\n`);
  return good === Object.keys(chapters).length;
}

/** Types into Keycloak's own page, and waits until the product is back. */
async function signIn(page: Page, username: string): Promise<void> {
  await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#kc-login');
}

async function tokenOf(page: Page): Promise<string | null> {
  return page.evaluate(() => sessionStorage.getItem('jhi-authenticationToken') ?? localStorage.getItem('jhi-authenticationToken'));
}

async function call(page: Page, method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const token = await tokenOf(page);
  return page.evaluate(
    async (asked) => {
      const answer = await fetch(asked.path, {
        method: asked.method,
        headers: {
          ...(asked.token === null ? {} : { Authorization: `Bearer ${asked.token}` }),
          ...(asked.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    { method, path, body, token },
  );
}

const authoritiesOf = async (page: Page) => ((await call(page, 'GET', '/api/account')).body as { authorities: string[] }).authorities;
const atKeycloak = /\/realms\/empresa\//;

const chapters: Record<string, (world: World, page: Page) => Promise<void>> = {
  async 'the root leads to the provider, whoever signs in there has an account with ROLE_USER, and signing out ends it there too'(
    { product },
    page,
  ) {
    await page.goto(product.url);
    await page.waitForURL(atKeycloak);
    await signIn(page, 'ana');
    await page.waitForURL(`${product.url}/signature`);
    assert.deepEqual(await authoritiesOf(page), ['ROLE_USER']);
    assert.equal(((await call(page, 'GET', '/api/account')).body as { email: string }).email, 'ana@empresa.com.br');
    assert.equal((await call(page, 'GET', '/api/applicationUser/hasPermission?actionFlowWebType=CREATE_PROCESS')).body, true);
    assert.equal((await call(page, 'GET', '/api/applicationUser/hasPermission?actionFlowWebType=LOGIN')).body, true);
    await page.goto(`${product.url}/logout`);
    // Its own session is over: it asks for a password again.
    await page.waitForSelector('#kc-login');
    assert.match(page.url(), atKeycloak);
  },

  async 'a page that was asked for is where the sign-in ends, and pages of own accounts lead to /signature'({ product }, page) {
    await page.goto(`${product.url}/signature-model?page=1`);
    await page.waitForURL(atKeycloak);
    await signIn(page, 'ana');
    await page.waitForURL(`${product.url}/signature-model?page=1`);
    for (const path of ['/login', '/', '/account/register', '/account/reset/request', '/account/password']) {
      await page.goto(`${product.url}${path}`);
      await page.waitForURL(`${product.url}/signature`);
    }
    assert.equal(await page.getByRole('link', { name: 'Mudar senha' }).count(), 0);
  },

  async 'own accounts are off on the server too'({ product }, page) {
    await page.goto(`${product.url}/validateLogin`);
    const account = { firstName: 'Eva', login: 'eva@exemplo.com.br', email: 'eva@exemplo.com.br', password: 'Senha123!x' };
    for (const [path, body] of [
      ['/api/register', account],
      ['/api/authenticate', { username: account.email, password: account.password }],
      ['/api/account/reset-password/init', { email: account.email }],
    ] as const)
      assert.equal((await call(page, 'POST', path, body)).status, 409, path);
  },

  async 'the realm role admin is ROLE_ADMIN, as long as it is held; without the role for it nobody creates a process'(
    { product, keycloak },
    page,
  ) {
    await page.goto(`${product.url}/contract-type`);
    await page.waitForURL(atKeycloak);
    await signIn(page, 'bruno');
    await page.waitForURL(/\/contract-type/);
    assert.deepEqual(await authoritiesOf(page), ['ROLE_USER', 'ROLE_ADMIN']);
    const created = await call(page, 'POST', '/api/signature-processes', {
      title: 'Contrato',
      dueDate: null,
      reminderIn: null,
      type: 'ELETRONIC_SIGNATURE',
      files: [],
    });
    assert.deepEqual([created.status, (created.body as { errorKey: string }).errorKey], [403, 'permission.createProcess']);
    assert.notEqual(await tokenOf(page), null, 'a 403 is only logged');
    const [bruno] = await keycloak.admin<{ id: string }[]>('GET', 'users?username=bruno&exact=true');
    const admin = await keycloak.admin<{ id: string; name: string }>('GET', 'roles/admin');
    await keycloak.admin('DELETE', `users/${bruno?.id}/role-mappings/realm`, [admin]);
    assert.equal(await renewed(page), 200);
    assert.deepEqual(await authoritiesOf(page), ['ROLE_USER']);
  },

  async 'a session that ends at the provider ends here, on an open page too'({ product, keycloak }, page) {
    await page.goto(product.url);
    await page.waitForURL(atKeycloak);
    await signIn(page, 'ana');
    await page.waitForURL(`${product.url}/signature`);
    const [ana] = await keycloak.admin<{ id: string }[]>('GET', 'users?username=ana&exact=true');
    await keycloak.admin('POST', `users/${ana?.id}/logout`);
    assert.equal(await renewed(page), 401);
    await page.waitForSelector('#kc-login');
    assert.match(page.url(), atKeycloak);
  },

  async 'without the role for it nobody enters, and another account is one sign-out away'({ product }, page) {
    await page.goto(product.url);
    await page.waitForURL(atKeycloak);
    await signIn(page, 'carla');
    await page.getByRole('heading', { name: 'Sem acesso' }).waitFor();
    assert.equal(await tokenOf(page), null);
    await page.getByRole('link', { name: 'Sair e entrar com outra conta' }).click();
    await page.waitForURL(/\/protocol\/openid-connect\/logout/);
  },

  async 'an address that the provider has not verified opens no account, and an answer is taken once'({ product }, page) {
    await page.goto(product.url);
    await page.waitForURL(atKeycloak);
    const answer = page.waitForRequest((request) => request.url().includes('/login/return/empresa?'));
    await signIn(page, 'davi');
    await page.getByRole('heading', { name: 'Não foi possível entrar' }).waitFor();
    assert.equal(await page.getByText('senha').count(), 0, 'there is no password to sign in with');
    assert.equal(await tokenOf(page), null);
    const query = new URL((await answer).url()).search;
    const again = await call(page, 'POST', '/api/sso/finish', { query });
    assert.equal((again.body as { errorKey: string }).errorKey, 'identity.signInUsed');
  },
};

/** The browser's clock goes on by more than the 30 seconds after which an open page looks at its token. */
async function renewed(page: Page): Promise<number> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/refresh'));
  await page.clock.fastForward(31_000);
  return (await answer).status();
}
