import { type Browser, type BrowserContextOptions, expect, type Page, type Request, test } from '@playwright/test';
import { makeContract } from './documents.ts';
import type { Product } from './product.ts';

export const phone = { width: 360, height: 760 };
export const creator = { name: 'Ana', email: 'ana@exemplo.com.br', password: 'Segredo123' };
export const place = { latitude: -23.55052, longitude: -46.633308, accuracy: 12 };

const faults: string[] = [];
/** The open pages, with what each has asked for and not been answered, and what never came. */
const watched = new Map<Page, { open: Set<Request>; lost: string[]; isUsed: boolean }>();

/** Notes every 5xx and every uncaught error of a page: no story may have one. */
export function watchServer(page: Page): void {
  const requests = { open: new Set<Request>(), lost: [] as string[], isUsed: false };
  watched.set(page, requests);
  page.on('close', () => watched.delete(page));
  page.on('request', (request) => {
    requests.isUsed = true;
    requests.open.add(request);
  });
  page.on('requestfinished', (request) => requests.open.delete(request));
  page.on('requestfailed', (request) => {
    requests.open.delete(request);
    requests.lost.push(`${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
}

/** After a story. Of one that has failed it is told what its pages showed, for whoever was not there. */
export async function expectNoFaults(): Promise<void> {
  const used = [...watched].filter(([, { isUsed }]) => isUsed);
  const seen = test.info().errors.length > 0 ? await Promise.all(used.map(([page]) => described(page))) : [];
  for (const [, requests] of used) Object.assign(requests, { lost: [], isUsed: false });
  expect([...faults.splice(0), ...seen]).toEqual([]);
}

async function described(page: Page): Promise<string> {
  const { open, lost } = watched.get(page) ?? { open: [], lost: [] };
  const shown = page.locator('body').innerText({ timeout: 2000 }).catch(String);
  const asked = [...open].map((request) => request.url());
  return `${page.url()} shows: ${(await shown).slice(0, 500)}; unanswered: ${asked.join(' ')}; lost: ${lost.slice(-10).join(' ')}`;
}

/** Somebody else at another computer: a browser of their own. */
export async function newPerson(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  watchServer(page);
  return page;
}

export async function registerFirstAccount(product: Pick<Product, 'url'>, page: Page): Promise<void> {
  await page.goto(`${product.url}/account/register`);
  await page.getByLabel('Nome', { exact: true }).fill(creator.name);
  await page.getByLabel('E-mail').fill(creator.email);
  await page.getByLabel('Nova senha').fill(creator.password);
  await page.getByLabel('Repita a senha').fill(creator.password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page.getByText('Conta criada.')).toBeVisible();
}

export async function signIn(product: Product, page: Page): Promise<void> {
  await page.goto(`${product.url}/login`);
  // Whoever has just registered the first account is signed in already.
  const submit = page.getByRole('button', { name: 'Entrar', exact: true });
  await expect(submit.or(page.getByRole('button', { name: creator.email }))).toBeVisible();
  if (!(await submit.isVisible())) return;
  await page.getByLabel('E-mail').fill(creator.email);
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await submit.click();
  await page.waitForURL('**/signature');
}

export async function addSigner(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Nome', { exact: true }).first().fill(name);
  await page.getByLabel('E-mail', { exact: true }).first().fill(email);
  await page.getByRole('button', { name: 'Adicionar signatário' }).click();
  await expect(page.getByRole('cell', { name: email })).toBeVisible();
}

/** The success popup stays for two seconds only: it is waited for while the button is still being pressed. */
export async function submitCreation(page: Page): Promise<void> {
  await Promise.all([
    expect(page.getByRole('heading', { name: 'Processo criado' })).toBeVisible({ timeout: 30_000 }),
    page.getByRole('button', { name: /^Enviar para/ }).click(),
  ]);
  await page.waitForURL('**/signature');
}

/** A process without boxes, for the side stories. */
export async function createPlainProcess(product: Product, page: Page, title: string, signers: [string, string][]): Promise<void> {
  await page.goto(`${product.url}/signature`);
  await sendPlainProcess(page, title, signers);
}

/** The same from the list where it stands. */
export async function sendPlainProcess(page: Page, title: string, signers: [string, string][]): Promise<void> {
  await page.setInputFiles('input[type=file]', { name: `${title}.pdf`, mimeType: 'application/pdf', buffer: await makeContract(title, 1) });
  await page.waitForURL('**/prepare');
  for (const [name, email] of signers) await addSigner(page, name, email);
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);
}

export async function openSignature(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Assinar Documento' })).toBeVisible();
  await expect(page.locator('.viewer-page canvas').first()).toBeVisible();
}

export async function fillPerson(page: Page, cpf = '52998224725'): Promise<void> {
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await page.getByLabel('CPF', { exact: true }).fill(cpf);
  await page.getByRole('button', { name: 'Continuar' }).click();
}

export async function chooseTyped(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Estilo 1/ }).click();
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
}

export function pressSign(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Assinar', exact: true }).click();
}

export async function draw(page: Page): Promise<void> {
  const pad = await page.locator('.pad').boundingBox();
  if (!pad) throw new Error('no pad');
  await page.mouse.move(pad.x + 40, pad.y + 120);
  await page.mouse.down();
  for (const [x, y] of [
    [80, 40],
    [120, 130],
    [160, 50],
    [220, 100],
  ] as const)
    await page.mouse.move(pad.x + x, pad.y + y, { steps: 8 });
  await page.mouse.up();
}

/** Chromium's own authenticator, which sees its holder without a finger. */
export async function withAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const holder = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...holder } });
}

/** Gives the one who is signed in a contract with such a plan. */
export async function coverBy(page: Page, quotas: Record<string, string>): Promise<void> {
  const statuses = await page.evaluate(async (plan) => {
    const kept = localStorage.getItem('jhi-authenticationToken') ?? sessionStorage.getItem('jhi-authenticationToken') ?? '';
    const headers = { authorization: `Bearer ${kept.replaceAll('"', '')}`, 'content-type': 'application/json' };
    const send = (path: string, body: object) => fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const account = (await (await fetch('/api/account', { headers })).json()) as { id: string };
    const type = await send('/api/contract-types', { name: 'Poucas', ...plan });
    const { id } = (await type.json()) as { id: number };
    const made = await send('/api/contracts', {
      validity: '2099-01-31T15:00:00.000Z',
      contractType: { id },
      applicationUsers: { id: account.id },
    });
    return [type.status, made.status];
  }, quotas);
  expect(statuses).toEqual([201, 201]);
}

/** As a client uploads that has no page of ours. */
export async function upload(product: Product, page: Page, name: string, pdf: Buffer): Promise<void> {
  const token = await page.evaluate(() => sessionStorage.getItem('jhi-authenticationToken') ?? '');
  const answer = await page.request.post(`${product.url}/api/documents`, {
    headers: { Authorization: `Bearer ${token}` },
    multipart: { files: { name, mimeType: 'application/pdf', buffer: pdf } },
  });
  expect(answer.status()).toBe(200);
}
