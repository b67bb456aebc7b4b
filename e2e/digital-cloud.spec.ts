import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { chooseType, invite } from './digital.ts';
import { expectNoFaults, newPerson, openSignature, registerFirstAccount, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

/** CPFs of the make-believe people; their certificates are described in @lavra/make-believe, development/people.ts. */
const cpf = { ana: '529.982.247-25', carlos: '111.444.777-35', iara: '204.060.801-00', dora: '315.171.913-94' };
const expiredHolder = '537.393.115-25';
const outsideHolder = '759.515.337-91';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('a cloud certificate that is found alone signs directly: type, a style for the signature page, the provider’s window, done', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato de Ana', 'Ana Beatriz Conceição', 'ana.conceicao@exemplo.com.br', cpf.ana);
  const ana = await newPerson(browser);
  await openSignature(ana, link);
  await expect(ana.getByText('Assinatura digital qualificada (ICP-Brasil)').first()).toBeVisible();
  await ana.getByRole('button', { name: 'Assinar Documento' }).click();
  // No place on the pages is seen: the style is no step, and is there for who wants one.
  await expect(ana.getByText('Passo 1 de 2')).toBeVisible();
  await ana.getByRole('button', { name: 'Escolher estilo' }).click();
  await expect(ana.getByText('o estilo aparece só na página de assinaturas')).toBeFocused();
  const chosen = ana.getByRole('tab', { name: 'Digitar' });
  await chosen.click();
  // The pointer is still on it, and its white letters can be read all the same.
  await expect(chosen).toHaveCSS('background-color', 'rgb(15, 90, 84)');
  await ana.getByLabel('Nome que aparece na assinatura').fill('');
  await ana.getByRole('button', { name: 'Continuar' }).click();
  await expect(ana.locator('.field .error')).toBeVisible();
  await ana.getByLabel('Nome que aparece na assinatura').fill('Ana Conceição');
  await ana.getByRole('button', { name: /^Estilo 2/ }).click();
  await expectAccessible(ana, 'digital-style');
  await ana.getByRole('button', { name: 'Continuar' }).click();

  await ana.getByRole('button', { name: 'Continuar' }).click();
  await expect(ana.getByText('O CPF não confere.')).toBeVisible();
  await expect(ana.getByText('Escolha onde está o seu certificado.')).toBeVisible();
  await expect(ana.getByText('Para assinar, é preciso aceitar o termo.')).toBeVisible();
  // What no field tells stands beside the button, which on a small telephone covers what is above it.
  await ana.setViewportSize({ width: 360, height: 640 });
  await expect(ana.locator('.act-foot [role=alert]:visible')).toBeInViewport({ ratio: 1 });
  await ana.setViewportSize({ width: 1280, height: 860 });
  await chooseType(ana, cpf.carlos, /Na nuvem/);
  await ana.getByRole('button', { name: 'Buscar certificado' }).click();
  await expect(ana.getByText('Este CPF não é o do convite.')).toBeVisible();
  await expect(ana.getByLabel('CPF', { exact: true })).toBeFocused();
  await chooseType(ana, cpf.ana, /Na nuvem/);
  await expectAccessible(ana, 'digital-type');
  const provider = await theWindow(ana, 'Buscar certificado');
  await expect(provider.getByText('Autorizar o uso do seu certificado?')).toBeVisible();
  expect(await provider.evaluate(() => window.opener)).toBeNull();
  await expect(ana.getByText('Autorize a assinatura na janela do BirdID')).toBeVisible();
  await expect(ana.getByRole('timer')).toHaveText(/^1:[012]\d$/);
  await expectAccessible(ana, 'digital-waiting');
  const closed = provider.waitForEvent('close');
  await provider.getByRole('button', { name: 'Autorizar' }).click();
  await expect(provider.getByText('Autorização recebida. Você já pode fechar esta janela.')).toBeVisible();
  expect(new URL(provider.url()).search).toBe('');
  await expect(ana.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  await closed;
  expect(await storedDigits(ana)).toEqual([]);
  await ana.context().close();
});

test('several certificates go to the choice; push, cancelling, a refusal and a blocked window each leave a way on', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato de Carlos', 'Carlos Eduardo Nóbrega', 'carlos@exemplo.com.br');
  const carlos = await newPerson(browser);
  await openSignature(carlos, link);
  await carlos.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(carlos, cpf.carlos, /Na nuvem/);
  await carlos.getByRole('button', { name: 'Buscar certificado' }).click();
  await expect(carlos.getByRole('radio', { name: /^NeoID/ })).toBeVisible();
  await expectAccessible(carlos, 'digital-choice');

  await carlos.getByRole('radio', { name: /^VIDaaS/ }).check();
  await carlos.getByRole('button', { name: 'Assinar', exact: true }).click();
  await expect(carlos.getByText('Confirme no aplicativo do celular')).toBeVisible();
  await carlos.getByRole('button', { name: 'Cancelar' }).click();
  await expect(carlos.getByRole('radio', { name: /Na nuvem/ })).toBeChecked();

  const refused = await chooseProvider(carlos, /NeoID/);
  await refused.getByRole('button', { name: 'Recusar' }).click();
  await expect(refused.getByText('Não foi possível autorizar a transação.')).toBeVisible();
  await expect(carlos.getByText('A autorização foi recusada no provedor').last()).toBeVisible();
  await expect(carlos.getByRole('button', { name: 'Buscar certificado' })).toBeVisible();

  await carlos.getByRole('button', { name: 'Buscar certificado' }).click();
  await carlos.getByRole('radio', { name: /SafeID/ }).check();
  await carlos.evaluate(() => {
    const open = window.open.bind(window);
    let first = true;
    // As a browser does that takes the window for an unwanted one.
    window.open = (...given) => {
      const blocked = first;
      first = false;
      return blocked ? null : open(...given);
    };
  });
  await carlos.getByRole('button', { name: 'Assinar', exact: true }).click();
  await expect(carlos.getByText('O navegador bloqueou a janela do provedor.')).toBeVisible();
  await expectAccessible(carlos, 'digital-blocked');
  const provider = await theWindow(carlos, 'Abrir o provedor');
  await provider.getByRole('button', { name: 'Autorizar' }).click();
  await expect(carlos.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  await carlos.context().close();
});

test('after 90 s without an answer the request is over; a reload while the provider is awaited goes on waiting', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato de Iara', 'Iara Tupinambá', 'iara@exemplo.com.br');
  const iara = await newPerson(browser);
  await iara.clock.install();
  await openSignature(iara, link);
  await iara.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(iara, cpf.iara, /Na nuvem/);
  await chooseProvider(iara, /DSCloud/);
  await expect(iara.getByText('Autorize a assinatura na janela do DSCloud')).toBeVisible();
  await iara.clock.fastForward(61_000);
  await expect(iara.getByText('Faltam 30 segundos para autorizar.')).toBeAttached();
  await iara.clock.fastForward(30_000);
  await expect(iara.locator('dialog').getByText('A solicitação de assinatura expirou.')).toBeVisible();

  const provider = await chooseProvider(iara, /Syn/);
  await expect(provider.getByText('Autorizar o uso do seu certificado?')).toBeVisible();
  await iara.reload();
  await expect(iara.getByText('Autorize a assinatura na janela do Syn')).toBeVisible();
  await expect(iara.getByRole('button', { name: 'Abrir de novo' })).toBeVisible();
  await provider.getByRole('button', { name: 'Autorizar' }).click();
  await expect(iara.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  await iara.context().close();
});

test('when the server cannot be asked how the wait ended, nothing is said of it, and what was authorised is signed', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato sem resposta', 'Iara Tupinambá', 'iara.sem@exemplo.com.br');
  const iara = await newPerson(browser);
  await iara.clock.install();
  await openSignature(iara, link);
  await iara.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(iara, cpf.iara, /Na nuvem/);
  const provider = await chooseProvider(iara, /DSCloud/);
  await expect(iara.getByText('Autorize a assinatura na janela do DSCloud')).toBeVisible();
  await iara.route('**/api/signatureStatus/*/*', (route) => route.abort());
  await iara.clock.fastForward(91_000);
  await expect(iara.getByText('não foi possível saber se a autorização chegou')).toBeVisible();
  await expect(iara.getByText('A solicitação de assinatura expirou.')).toHaveCount(0);
  await expectAccessible(iara, 'digital-end-unknown');
  await iara.unroute('**/api/signatureStatus/*/*');
  await provider.getByRole('button', { name: 'Autorizar' }).click();
  await expect(iara.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  await iara.context().close();
});

test('a certificate file: a wrong password, an expired one, one not of ICP-Brasil and another person’s are told apart', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato de Dora', 'Dora Lima', 'dora@exemplo.com.br');
  const dora = await newPerson(browser);
  await openSignature(dora, link);
  await dora.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(dora, cpf.dora, /Na nuvem/);
  await dora.getByRole('button', { name: 'Buscar certificado' }).click();
  await expect(dora.getByText('Nenhum certificado encontrado')).toBeVisible();

  await chooseType(dora, cpf.dora, /Arquivo A1/);
  await dora.getByRole('button', { name: 'Continuar' }).click();
  await dora.getByRole('button', { name: 'Assinar', exact: true }).click();
  await expect(dora.getByText('Escolha o arquivo .pfx ou .p12 do certificado.')).toBeVisible();
  await useFile(dora, 'dora-a1', 'errada');
  await expect(dora.getByText('A senha não abre este arquivo.')).toBeVisible();
  await expect(dora.getByLabel('Senha do certificado')).toBeFocused();
  await expectAccessible(dora, 'digital-file');
  await useFile(dora, 'ana-a1');
  await expect(dora.getByText('Este certificado é de outra pessoa.')).toBeVisible();
  await otherCpf(dora, expiredHolder);
  await useFile(dora, 'francisca-a1-vencido');
  await expect(dora.getByText('Este certificado está fora da validade')).toBeVisible();
  await otherCpf(dora, outsideHolder);
  await useFile(dora, 'helena-fora');
  await expect(dora.getByText('Este certificado não é da ICP-Brasil.')).toBeVisible();
  await otherCpf(dora, cpf.dora);
  const sent: string[] = [];
  dora.on('request', (request) => sent.push(request.postData() ?? ''));
  await useFile(dora, 'dora-a1');
  await expect(dora.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  expect(sent.filter((body) => body.includes('faz-de-conta'))).toEqual([]);
  await dora.context().close();
});

test('an authorisation that nobody knows is told, stays readable where the window cannot be closed, and leaves the address', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.close = () => document.body.setAttribute('data-closed', '');
  });
  await page.clock.install();
  await page.goto(`${product.url}/callback/psc?code=abc&state=nenhum`);
  await expect(page.getByText('Não foi possível autorizar a transação. Por favor, tente novamente.')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await expectAccessible(page, 'callback-failed');
  await page.clock.fastForward(5_000);
  await expect(page.locator('body[data-closed]')).toBeAttached();
});

/** The window that a button opens, when it has come to the provider. */
async function theWindow(page: Page, button: string): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: button, exact: true }).click()]);
  await opened.waitForURL(/^http/);
  return opened;
}

async function chooseProvider(page: Page, name: RegExp): Promise<Page> {
  await page.getByRole('button', { name: 'Buscar certificado' }).click();
  await page.getByRole('radio', { name }).check();
  return theWindow(page, 'Assinar');
}

async function useFile(page: Page, name: string, password = 'faz-de-conta'): Promise<void> {
  await page
    .locator('dialog input[type=file][accept*=pfx]')
    .setInputFiles(join(product.dataDir, 'development', 'certificados', `${name}.p12`));
  await page.getByLabel('Senha do certificado').fill(password);
  await page.getByRole('button', { name: 'Assinar', exact: true }).click();
}

async function otherCpf(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Voltar' }).click();
  await page.getByLabel('CPF', { exact: true }).fill(number);
  await page.getByRole('button', { name: 'Continuar' }).click();
}

/** What this browser keeps that holds a CPF's digits. */
function storedDigits(page: Page): Promise<string[]> {
  return page
    .evaluate(() =>
      [localStorage, sessionStorage].flatMap((store) => Object.entries(store).map(([key, value]) => `${key}=${String(value)}`)),
    )
    .then((all) => all.filter((one) => one.includes('52998224725')));
}
