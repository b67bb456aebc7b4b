import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { judge } from './judge.ts';
import {
  addSigner,
  chooseTyped,
  creator,
  draw,
  expectNoFaults,
  fillPerson,
  newPerson,
  openSignature,
  phone,
  place,
  pressSign,
  signIn,
  submitCreation,
  watchServer,
} from './people.ts';
import { mailed, mailedLink, type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

const located: BrowserContextOptions = { geolocation: place, permissions: ['geolocation'] };

test.describe.serial('the main job', () => {
  test('the first account registered becomes the administrator and signs in', async ({ page }) => {
    await page.goto(product.url);
    await expect(page.getByLabel('Nome', { exact: true })).toBeVisible();
    await expectAccessible(page, 'login');
    await page.getByLabel('Nome', { exact: true }).fill(creator.name);
    await page.getByLabel('E-mail').fill(creator.email);
    await page.getByLabel('Nova senha').fill('fraca');
    await page.getByLabel('Repita a senha').fill('fraca');
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page.getByText('A senha precisa de pelo menos 6 caracteres').first()).toBeVisible();
    await expectAccessible(page, 'register-errors');
    await page.getByLabel('Nova senha').fill(creator.password);
    await page.getByLabel('Repita a senha').fill(creator.password);
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page.getByText('Conta criada.')).toBeVisible();
    await signIn(product, page);
    await expect(page.getByText('Nenhum processo ainda')).toBeVisible();
    await expectAccessible(page, 'home-empty');
  });

  test('two documents and two signers go from upload to a signed, verified file', async ({ page, browser }) => {
    const contract = await makeContract('Contrato de locação', 3);
    const turned = await makeContract('Anexo girado', 2, true);
    await test.step('the creator prepares, places the boxes and sends', async () => {
      await signIn(product, page);
      await prepare(page, contract, turned);
      await confirm(page);
    });

    const bia = await newPerson(browser, located);
    await test.step('the first signer comes from the mail and types', async () => {
      const link = await openFromMailbox(bia, 'bia@exemplo.com.br');
      await expectAccessible(bia, 'signer');
      await signTyped(bia);
      await expect(bia.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
      await bia.goto(link);
      await expect(bia.getByText('Você já assinou')).toBeVisible();
    });

    await test.step('the second signer draws on a phone', async () => {
      const carlos = await newPerson(browser, { ...located, viewport: phone, hasTouch: true });
      await openSignature(carlos, await mailedLink(product, 'carlos@exemplo.com.br', 'para você assinar'));
      await signDrawn(carlos);
      await expect(carlos.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
      await expectAccessible(carlos, 'signer-done');
      await carlos.context().close();
    });

    await test.step('everybody hears of the end, and the files stand before other makers’ tools', async () => {
      const link = await mailedLink(product, 'bia@exemplo.com.br', 'Assinado por todos');
      await mailed(product, 'dora@exemplo.com.br', 'Assinado por todos');
      expect((await product.mails('dora@exemplo.com.br')).map(({ text }) => text.includes(`fale com ${creator.name}`))).toEqual([true]);
      const files = await downloadAll(bia, link);
      const root = Buffer.from(await (await fetch(`${product.url}/pki/root.cer`)).arrayBuffer());
      judge(files['contrato-assinado.pdf'], contract, root);
      judge(files['anexo-assinado.pdf'], turned, root);
      await verifyLocally(bia, files['contrato-assinado.pdf']);
    });

    await test.step('the owner sees the end and the public verifies the document', async () => {
      await page.goto(`${product.url}/signature`);
      await expect(page.locator('.badge', { hasText: 'Finalizado' })).toBeVisible();
      await page.getByRole('button', { name: /Detalhes de/ }).click();
      await expectAccessible(page, 'home');
      await verify(bia, await documentId(page, 'contrato.pdf'));
    });
    await bia.context().close();
  });
});

async function prepare(page: Page, contract: Buffer, turned: Buffer): Promise<void> {
  await page.setInputFiles('input[type=file]', [
    { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: contract },
    { name: 'anexo.pdf', mimeType: 'application/pdf', buffer: turned },
  ]);
  await page.waitForURL('**/prepare');
  await page.getByLabel('Título').fill('');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await expect(page.getByText('O título não pode ficar vazio.')).toBeVisible();
  await page.getByLabel('Título').fill('Locação — Edifício Aurora');
  await addSigner(page, 'Beatriz Conceição', 'bia@exemplo.com.br');
  await addSigner(page, 'Carlos Nóbrega', 'carlos@exemplo.com.br');
  await page.getByRole('switch', { name: 'Prazo geral' }).check();
  await page.getByRole('switch', { name: /Incluir interessados/ }).check();
  await page.getByLabel('Nome', { exact: true }).last().fill('Dora Lima');
  await page.getByLabel('E-mail', { exact: true }).last().fill('dora@exemplo.com.br');
  await page.getByRole('button', { name: 'Adicionar interessado' }).click();
  await expect(page.getByRole('row', { name: /Dora Lima dora@exemplo\.com\.br/ })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Avisar ao final' })).toBeChecked();
  await page.getByRole('switch', { name: 'Lembrete' }).check();
  await expect(page.getByText('Conflito de datas')).toHaveCount(0);
  await expectAccessible(page, 'prepare');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Voltar' }).click();
  await expect(page.getByLabel('Título')).toHaveValue('Locação — Edifício Aurora');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await expect(page.getByText('Modalidade não selecionada')).toBeVisible();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento' }).last().check();
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await expect(page.getByText('Posições de Assinaturas Visíveis não Definidas')).toBeVisible();
  await placeAll(page);
  await page.locator('.viewer').scrollIntoViewIfNeeded();
  await page.screenshot({ path: 'test-results/shots/confirm-boxes.png' });
  await expectAccessible(page, 'confirm');
  await submitCreation(page);
}

/** Every box by the mouse, but the last by the keyboard. */
async function placeAll(page: Page): Promise<void> {
  for (const [index, signer] of ['Beatriz Conceição', 'Beatriz Conceição', 'Carlos Nóbrega', 'Carlos Nóbrega'].entries()) {
    await page.getByRole('button', { name: new RegExp(`^Iniciar.*${signer}`) }).click();
    const box = page.locator('.box-placing');
    await box.scrollIntoViewIfNeeded();
    if (index === 3) {
      await box.focus();
      for (let step = 0; step < 5; step += 1) await page.keyboard.press('Shift+ArrowUp');
      await page.keyboard.press('Enter');
    } else {
      const frame = await box.boundingBox();
      if (!frame) throw new Error('no box');
      await page.mouse.move(frame.x + 30, frame.y + 20);
      await page.mouse.down();
      await page.mouse.move(frame.x + 60, frame.y - 30, { steps: 6 });
      await page.mouse.up();
      await page.getByRole('button', { name: `Fixar (${signer})` }).click();
    }
    await expect(page.locator('.box-placing')).toHaveCount(0);
  }
  await expect(page.getByText('4/4')).toBeVisible();
  await expect(page.getByText('Posições de Assinaturas Visíveis não Definidas')).toHaveCount(0);
}

async function openFromMailbox(page: Page, to: string): Promise<string> {
  const link = await mailedLink(product, to, 'para você assinar');
  await page.goto(product.mailboxUrl);
  await expectAccessible(page, 'mailbox');
  await page
    .getByRole('link', { name: /pediu sua assinatura/ })
    .first()
    .click();
  // The mail itself stands in a frame where no script runs, not even a test's.
  await page.screenshot({ path: 'test-results/shots/mail.png' });
  await openSignature(page, link);
  return link;
}

async function signTyped(page: Page): Promise<void> {
  await fillPerson(page, '11111111111');
  await expect(page.getByText('O CPF não confere')).toBeVisible();
  await expectAccessible(page, 'sign-data');
  await page.getByLabel('CPF', { exact: true }).fill('52998224725');
  await expect(page.getByLabel('CPF', { exact: true })).toHaveValue('529.982.247-25');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await chooseTyped(page);
  // Going from the mailbox to the product changes the renderer, and the emulated place must be given again.
  await page.context().setGeolocation(place);
  await expectAccessible(page, 'sign-typed');
  await pressSign(page);
}

async function signDrawn(page: Page): Promise<void> {
  await fillPerson(page, '111.444.777-35');
  await page.getByRole('tab', { name: 'Desenhar' }).click();
  await pressSign(page);
  await expect(page.getByText('Desenhe a sua assinatura no quadro.')).toBeVisible();
  await draw(page);
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeDisabled();
  await draw(page);
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
  await page.context().setGeolocation(place);
  await expectAccessible(page, 'sign-drawn');
  await pressSign(page);
}

async function downloadAll(page: Page, link: string): Promise<Record<'contrato-assinado.pdf' | 'anexo-assinado.pdf', Buffer>> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Baixar selecionados' }).click();
  await expect(page.getByText('É necessário selecionar um item')).toBeVisible();
  await expectAccessible(page, 'download');
  await page.getByRole('checkbox', { name: /contrato-assinado/ }).check();
  const [one] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Baixar selecionados' }).click()]);
  expect(one.suggestedFilename()).toBe('contrato-assinado.pdf');
  await page.getByRole('checkbox', { name: /contrato-assinado/ }).uncheck();
  const [named] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar anexo-assinado.pdf' }).click(),
  ]);
  expect(named.suggestedFilename()).toBe('anexo-assinado.pdf');
  await expect(page.getByText('evidencias-locação-edifício-aurora.pdf')).toBeVisible();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Baixar tudo (.zip)' }).click()]);
  expect(saved.suggestedFilename()).toBe('assinaturas.zip');
  const directory = mkdtempSync(join(tmpdir(), 'lavra-zip-'));
  await saved.saveAs(join(directory, 'a.zip'));
  execFileSync('unzip', ['-q', join(directory, 'a.zip'), '-d', directory]);
  const read = (name: string) => readFileSync(join(directory, name));
  return { 'contrato-assinado.pdf': read('contrato-assinado.pdf'), 'anexo-assinado.pdf': read('anexo-assinado.pdf') };
}

/** Any visitor, with nothing but the file, in the browser alone. */
async function verifyLocally(page: Page, file: Buffer): Promise<void> {
  await page.goto(`${product.url}/validateLogin`);
  const choose = (buffer: Buffer) =>
    page.getByLabel('Escolher arquivo PDF').setInputFiles({ name: 'contrato-assinado.pdf', mimeType: 'application/pdf', buffer });
  await choose(file);
  await expect(page.getByText('Válida', { exact: true })).toHaveCount(4);
  await expect(page.getByRole('status').filter({ hasText: 'contrato-assinado.pdf' })).toContainText(
    'Documento íntegro.2 assinaturas válidas. Nada mudou depois.',
  );
  await expect(page.getByText('Carlos Nóbrega', { exact: true }).first()).toBeVisible();
  await expectAccessible(page, 'verify-file');
  const changed = Buffer.from(file);
  const at = changed.indexOf('/MediaBox') + 12;
  changed[at] = changed[at] === 0x30 ? 0x31 : 0x30;
  await choose(changed);
  await expect(page.getByText('Inválida', { exact: true })).toHaveCount(4);
  await expect(page.getByText('Documento alterado.')).toBeVisible();
  await expect(page.getByText('O conteúdo assinado foi alterado').first()).toBeVisible();
}

async function verify(page: Page, id: string): Promise<void> {
  await page.goto(`${product.url}/validate`);
  await page.waitForURL('**/validateLogin');
  await page.getByLabel('Identificador do documento').fill('não é');
  await page.getByRole('button', { name: 'Conferir' }).click();
  await expect(page.getByText('Digite um UUID válido')).toBeVisible();
  await expectAccessible(page, 'validate-login');
  await page.goto(`${product.url}/validateLogin?docId=${id}`);
  await expect(page.getByLabel('Identificador do documento')).toHaveValue(id);
  await page.getByLabel('E-mail de um signatário').fill('ninguem@exemplo.com.br');
  await page.getByRole('button', { name: 'Conferir' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('E-mail de um signatário').fill('carlos@exemplo.com.br');
  await page.getByRole('button', { name: 'Conferir' }).click();
  await page.waitForURL('**/validate');
  await expect(page.getByRole('heading', { name: 'contrato.pdf' })).toBeVisible();
  await expect(page.getByText(/\*\*\*\.982\.247-\*\*/)).toBeVisible();
  // Two signers, the seal and the document timestamp, each verified from the stored bytes.
  await expect(page.getByText('Válida', { exact: true })).toHaveCount(4);
  await expect(page.getByText('2 assinaturas válidas. Nada mudou depois.')).toBeVisible();
  await expect(page.getByText('bia@exemplo.com.br')).toHaveCount(0);
  await expect(page.locator('.viewer-page canvas').first()).toBeVisible();
  await expectAccessible(page, 'validate');
  // Who signed after the first: their box on a page, and their evidence on the signature page, which the viewer goes to.
  await page.getByText('O que veio depois: só o que esta assinatura permite').first().click();
  await expect(page.getByText('Carlos Nóbrega assinou').first()).toBeVisible();
  await page.getByRole('button', { name: 'Página 4' }).first().click();
  await expect(page.getByLabel('Ir para a página')).toHaveValue('4');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar documento assinado' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('contrato-assinado.pdf');
}

/** The identifier that stands on the signature page of a document of the owner's newest process. */
async function documentId(page: Page, name: string): Promise<string> {
  return page.evaluate(async (wanted) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem('jhi-authenticationToken') ?? ''}` };
    const get = async <T>(path: string) => (await (await fetch(path, { headers })).json()) as T;
    const { signatureProcesses } = await get<{ signatureProcesses: { id: string }[] }>('/api/buildProcessesInfos');
    const { documents } = await get<{ documents: { id: string; name: string }[] }>(
      `/api/buildSubDataProcesses/${signatureProcesses[0]?.id}`,
    );
    return documents.find((one) => one.name === wanted)?.id ?? '';
  }, name);
}
