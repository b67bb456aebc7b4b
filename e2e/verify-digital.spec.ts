import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { chooseType, invite } from './digital.ts';
import { creator, expectNoFaults, newPerson, openSignature, registerFirstAccount, watchServer } from './people.ts';
import { mailed, type Product, startProduct } from './product.ts';

const dora = { email: 'dora.lima@exemplo.com.br', cpf: '315.171.913-94' };

let product: Product;
let foreign: ChildProcess;
test.beforeAll(async () => {
  // An authority that is not ICP-Brasil's: documents signed with certificates end without long-term evidence.
  const program = "import { startTimestampWorld } from '@lavra/make-believe'; console.log((await startTimestampWorld()).url);";
  foreign = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [told] = (await once(foreign.stdout ?? foreign, 'data')) as [Buffer];
  product = await startProduct({ TSA_URL: told.toString().trim() });
});
test.afterAll(async () => {
  await product.stop();
  foreign.kill();
});
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

/** Signed by Dora with her certificate file; what the creator downloads. */
async function signedDocument(page: Page, browser: Browser): Promise<{ documentId: string; file: Buffer }> {
  await registerFirstAccount(product, page);
  const link = await invite(product, page, 'Contrato', 'Dora Lima', dora.email, dora.cpf);
  const signer = await newPerson(browser);
  await openSignature(signer, link);
  await signer.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(signer, dora.cpf, /Arquivo A1/);
  await signer.getByRole('button', { name: 'Continuar' }).click();
  const own = join(product.dataDir, 'development/certificados/dora-a1.p12');
  await signer.getByLabel('Escolha o arquivo do certificado').setInputFiles(own);
  await signer.getByLabel('Senha do certificado').fill('faz-de-conta');
  await signer.getByRole('button', { name: 'Assinar', exact: true }).click();
  await expect(signer.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
  await signer.context().close();
  await mailed(product, creator.email, 'Assinado por todos');
  const token = await page.evaluate(() => sessionStorage.getItem('jhi-authenticationToken') ?? '');
  const get = (path: string) => fetch(`${product.url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { signatureProcesses } = (await (await get('buildProcessesInfos')).json()) as { signatureProcesses: { id: string }[] };
  const id = signatureProcesses[0]?.id ?? '';
  const { documents } = (await (await get(`buildSubDataProcesses/${id}`)).json()) as { documents: { id: string }[] };
  const documentId = documents[0]?.id ?? '';
  return { documentId, file: Buffer.from(await (await get(`downloadSignature/${id}/${documentId}`)).arrayBuffer()) };
}

async function choose(page: Page, file: Buffer): Promise<void> {
  await page.goto(`${product.url}/validateLogin`);
  await page.getByLabel('Escolher arquivo PDF').setInputFiles({ name: 'assinado.pdf', mimeType: 'application/pdf', buffer: file });
}

test('a digitally signed file without long-term evidence has the same verdict in the browser as by identifier, and is sent nowhere', async ({
  page,
  browser,
}) => {
  const { documentId, file } = await signedDocument(page, browser);
  expect(file.includes('/DSS')).toBe(false);

  await page.goto(`${product.url}/validateLogin`);
  await page.getByLabel('Identificador do documento').fill(documentId);
  await page.getByLabel('E-mail de um signatário').fill(dora.email);
  await page.getByRole('button', { name: 'Conferir' }).click();
  await page.waitForURL('**/validate');
  await expect(page.getByText('Válida', { exact: true })).toHaveCount(1);

  const asked: { url: string; method: string; size: number }[] = [];
  page.on('request', (request) =>
    asked.push({ url: request.url(), method: request.method(), size: request.postDataBuffer()?.length ?? 0 }),
  );
  await choose(page, file);
  await expect(page.getByText('DORA LIMA', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Válida', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Indeterminada', { exact: true })).toHaveCount(0);
  const lists = asked.filter(({ url }) => url.includes('/api/validation/lists/'));
  expect(lists.length).toBe(3);
  expect(
    asked.every(({ url }) => url.startsWith(product.url)),
    'nobody else is asked',
  ).toBe(true);
  expect(
    asked.every(({ method, size }) => method === 'GET' && size === 0),
    'nothing is sent',
  ).toBe(true);
  await expectAccessible(page, 'verify-digital');

  await page.route('**/api/validation/lists/**', (route) => route.abort());
  await choose(page, file);
  await expect(page.getByText('Indeterminada', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Não foi possível saber se o certificado está revogado.')).toBeVisible();
  await expect(page.getByText('As listas de certificados revogados vêm desta instalação')).toBeVisible();
});
