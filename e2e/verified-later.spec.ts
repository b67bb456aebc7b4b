import { readFile } from 'node:fs/promises';
import { expect, type Page, type Route, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { creator, draw, expectNoFaults, newPerson, phone, signIn, watchServer } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';
import { linkFor, send, sign, signedIn } from './world.ts';

let product: Product;
let documentId: string;
/** A signer's address, of a process that waits for them. */
let link: string;
test.beforeAll(async () => {
  product = await startProduct();
  const call = await signedIn(product);
  const sent = await send(call, 'Recibo de pagamento', [['Zé da Silva', 'ze@exemplo.com.br']]);
  link = await linkFor(product, call, 'Contrato de locação', ['Maria Guimarães', 'maria@exemplo.com.br']);
  await sign(product, sent, 'ze@exemplo.com.br');
  await mailedLink(product, creator.email, `download/${sent.id}`);
  const { documents } = await call<{ documents: { id: string }[] }>('GET', `api/buildSubDataProcesses/${sent.id}`);
  documentId = documents[0]?.id ?? '';
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

async function verify(page: Page): Promise<void> {
  await page.goto(`${product.url}/validateLogin?docId=${documentId}`);
  await page.getByLabel('E-mail de um signatário').fill('ze@exemplo.com.br');
  await page.getByRole('button', { name: 'Conferir', exact: true }).click();
  await page.waitForURL('**/validate');
  await expect(page.getByRole('heading', { name: 'Quem assinou' })).toBeVisible();
}

type Answer = Record<string, unknown> & { signers: object[] };

/** What the server says of a document whose files are kept no longer; its own tests see that it does. */
async function withoutFiles(route: Route): Promise<void> {
  const answer = await route.fetch();
  const body = (await answer.json()) as Answer;
  const unseen = { indication: null, reasons: [], level: null, provenTime: null, certificate: null, end: null, changes: [], notes: [] };
  const signers = body.signers.map((signer) => ({ ...signer, ...unseen, coversWholeFile: false }));
  const gone = { filesRemovedDate: new Date().toISOString(), seals: [], signaturePage: null, signedDocumentWithEvidencePage: null };
  await route.fulfill({ response: answer, json: { ...body, ...gone, signers } });
}

const address = '**/api/validation?*';

/** The network goes and comes back, and whatever is asked for then does not come; how often it was asked. */
async function blink(page: Page, addresses: string): Promise<number> {
  let asked = 0;
  await page.route(addresses, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  return asked;
}

test('a document whose file is kept no longer is told as that: no word on a signature that nobody looked at, on the page and on paper', async ({
  page,
}) => {
  await verify(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar documento assinado' }).click(),
  ]);
  const kept = await download.path();
  await page.route(address, withoutFiles);
  await verify(page);
  const person = page.locator('.signed').filter({ hasText: 'Zé da Silva' });
  await expect(person.getByText('Não conferida', { exact: true })).toBeVisible();
  await expect(person.getByText(/^Assinou em \d\d\/\d\d\/\d\d \d\d:\d\d$/)).toBeVisible();
  const neverTrue = [/Inválida|Indeterminada|Válida$/, 'não está no arquivo guardado', 'guardado aqui', /[Cc]onferimos/, 'Conferido em'];
  await page.getByText('Detalhes técnicos').click();
  for (const media of ['print', 'screen'] as const) {
    await page.emulateMedia({ media });
    for (const words of neverTrue) await expect(page.getByText(words).filter({ visible: true })).toHaveCount(0);
  }
  await expectAccessible(page, 'validate-removed');
  for (const [name, size] of [
    ['wide', page.viewportSize()],
    ['360', phone],
  ] as const) {
    if (size) await page.setViewportSize(size);
    await page.screenshot({ path: `test-results/shots/validate-removed-${name}.png`, fullPage: true });
  }

  // A copy that somebody kept is judged, which nobody else did.
  await page.setInputFiles('input[type=file]', { name: 'guardado.pdf', mimeType: 'application/pdf', buffer: await readFile(kept) });
  await expect(page.getByText('guardado.pdf é exatamente o arquivo assinado, byte por byte.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Resultado: guardado.pdf' })).toContainText('1 assinatura');
});

test('a verification that is being read stays where the network goes and comes back', async ({ page }) => {
  await verify(page);
  expect(await blink(page, address)).toBe(0);
  await expect(page).toHaveURL(`${product.url}/validate`);
  await expect(page.getByRole('heading', { name: 'Quem assinou' })).toBeVisible();
});

test('a drawing that was sent is told as sent, also where the network goes and comes back', async ({ browser }) => {
  const telephone = await newPerson(browser, { viewport: phone });
  const url = new URL(link);
  const key = url.searchParams.get('user');
  const processId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(url.pathname)?.[0];
  const asked = await telephone.request.post(`${product.url}/api/signers/${key}/drawings`, { data: { processId } });
  await telephone.goto(((await asked.json()) as { address: string }).address);
  await expect(telephone.locator('.pad')).toBeVisible();
  await draw(telephone);
  await telephone.getByRole('button', { name: /Enviar/ }).click();
  await expect(telephone.getByText(/Desenho enviado/)).toBeVisible();
  expect(await blink(telephone, '**/api/drawings/**')).toBe(0);
  await expect(telephone.getByRole('alert')).toHaveCount(0);
  await expect(telephone.getByText(/Desenho enviado/)).toBeVisible();
  await telephone.context().close();
});

test('the window of an authorisation that was received says no failure when it is loaded again', async ({ page }) => {
  await page.addInitScript(() => {
    window.close = () => {};
  });
  const handedIn: string[] = [];
  await page.route('**/createAuthorizeTransactionCallback', (route) => {
    handedIn.push(route.request().postData() ?? '');
    return route.fulfill({ json: { statusCode: 200 } });
  });
  await page.goto(`${product.url}/callback/psc?code=abc&state=dado`);
  await expect(page.getByText('Autorização recebida.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Volte à página da assinatura: ela mostra se a autorização chegou.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(handedIn).toHaveLength(1);
  await expectAccessible(page, 'callback-again');
});

test('a verification of more than ten minutes ago is told as over, with the way back to the same document', async ({ page }) => {
  await verify(page);
  const isOver = (route: Route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', json: { title: 'verification.ticketExpired', status: 400 } });
  await page.route('**/api/validation/file?*', isOver);
  await page.getByRole('button', { name: 'Baixar documento assinado' }).click();
  const fault = page.getByRole('alert').filter({ hasText: 'Esta consulta valia por 10 minutos.' });
  await expect(fault).toBeVisible();
  await expectAccessible(page, 'validate-over');
  await page.screenshot({ path: 'test-results/shots/validate-over-wide.png' });
  await page.setViewportSize(phone);
  await fault.scrollIntoViewIfNeeded();
  await page.screenshot({ path: 'test-results/shots/validate-over-360.png' });
  await fault.getByRole('link', { name: 'Conferir de novo' }).click();
  await expect(page).toHaveURL(`${product.url}/validateLogin?docId=${documentId}`);
  await expect(page.getByLabel('Identificador do documento')).toHaveValue(documentId);

  await page.goBack();
  await page.waitForURL('**/validate');
  await page.route(address, isOver);
  await page.reload();
  await expect(page).toHaveURL(`${product.url}/validateLogin?docId=${documentId}`);
  await expect(page.getByRole('alert')).toContainText('Esta consulta valia por 10 minutos.');
  await expect(page.getByLabel('Identificador do documento')).toHaveValue(documentId);
  await page.screenshot({ path: 'test-results/shots/login-over-360.png' });
});

test('the log of events tells its hours in the same zone as the rest of the page', async ({ page }) => {
  await page.route('**/api/account', async (route) => {
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer });
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), timeZone: 'America/Manaus' } });
  });
  await signIn(product, page);
  const answers = [page.waitForResponse(/\/api\/account$/), page.waitForResponse(/\/api\/validation\?/)] as const;
  await verify(page);
  const [, told] = await Promise.all(answers);
  const { signers } = (await told.json()) as { signers: { signedAt: string }[] };
  const signedAt = hourIn('America/Manaus', signers[0]?.signedAt ?? '');
  expect(signedAt).toMatch(/^\d\d\/\d\d\/\d\d \d\d:\d\d$/);
  await expect(page.locator('.signed').first()).toContainText(`Assinou em ${signedAt}`);
  await page.getByText('Registro de eventos').click();
  await expect(page.locator('.list > li').filter({ hasText: 'Zé da Silva assinou' })).toContainText(signedAt);
});

/** DD/MM/AA HH:MM, as clocks there show an instant. */
function hourIn(timeZone: string, instant: string): string {
  const shown = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' }).formatToParts(new Date(instant));
  const part = (type: string) => shown.find((one) => one.type === type)?.value ?? '';
  return `${part('day')}/${part('month')}/${part('year').slice(-2)} ${part('hour')}:${part('minute')}`;
}
