import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { mailed, mailedLink, type Product, startProduct } from './product.ts';

const phone = { width: 360, height: 760 };
const creator = { name: 'Ana', email: 'ana@exemplo.com.br', password: 'Segredo123' };
const place = { latitude: -23.55052, longitude: -46.633308, accuracy: 12 };

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());

async function signIn(page: Page): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('E-mail').fill(creator.email);
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.waitForURL('**/signature');
}

async function addSigner(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Nome', { exact: true }).first().fill(name);
  await page.getByLabel('E-mail', { exact: true }).first().fill(email);
  await page.getByRole('button', { name: 'Adicionar signatário' }).click();
  await expect(page.getByRole('cell', { name: email })).toBeVisible();
}

/** A process without boxes, for the side stories. */
async function createPlainProcess(page: Page, title: string, signers: [string, string][]): Promise<void> {
  await page.goto(`${product.url}/signature`);
  await page.setInputFiles('input[type=file]', { name: `${title}.pdf`, mimeType: 'application/pdf', buffer: await makeContract(title, 1) });
  await page.waitForURL('**/prepare');
  for (const [name, email] of signers) await addSigner(page, name, email);
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);
}

test.describe.serial('the main job', () => {
  test('the first account registered becomes the administrator and signs in', async ({ page }) => {
    await page.goto(product.url);
    await expectAccessible(page, 'login');
    await page.getByRole('link', { name: 'Criar conta' }).first().click();
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
    await signIn(page);
    await expect(page.getByText('Nenhum processo ainda')).toBeVisible();
    await expectAccessible(page, 'home-empty');
  });

  test('two documents and two signers go from upload to a signed, verified file', async ({ page, browser }) => {
    await signIn(page);
    const contract = await makeContract('Contrato de locação', 3);
    const turned = await makeContract('Anexo girado', 2, true);
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
    await expect(page.getByText('Dora Lima · dora@exemplo.com.br')).toBeVisible();
    await page.getByRole('switch', { name: 'Lembrete' }).check();
    await expect(page.getByText('Conflito de datas')).toHaveCount(0);
    await expectAccessible(page, 'prepare');
    await page.setViewportSize(phone);
    await expectAccessible(page, 'prepare-360');
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('button', { name: 'Próximo' }).click();
    await page.waitForURL('**/confirm');

    await page.getByRole('button', { name: 'Voltar' }).click();
    await expect(page.getByLabel('Título')).toHaveValue('Locação — Edifício Aurora');
    await page.getByRole('button', { name: 'Próximo' }).click();
    await page.getByRole('button', { name: 'Próximo', exact: true }).last().click();
    await expect(page.getByText('Modalidade não selecionada')).toBeVisible();
    await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
    await page.getByRole('checkbox', { name: 'Assinatura visível no documento' }).last().check();
    await page.getByRole('button', { name: 'Próximo', exact: true }).last().click();
    await expect(page.getByText('Posições de Assinaturas Visíveis não Definidas')).toBeVisible();
    await placeAll(page);
    await expectAccessible(page, 'confirm');
    await page.locator('.viewer').scrollIntoViewIfNeeded();
    await page.screenshot({ path: 'test-results/shots/confirm-boxes.png' });
    await page.setViewportSize(phone);
    await expectAccessible(page, 'confirm-360');
    await page.setViewportSize({ width: 1280, height: 860 });
    await submitCreation(page);

    const bia = await browser.newContext({ geolocation: place, permissions: ['geolocation'], locale: 'pt-BR' });
    const biaPage = await bia.newPage();
    const biaLink = await openFromMailbox(biaPage, 'bia@exemplo.com.br');
    await expectAccessible(biaPage, 'signer');
    await signTyped(biaPage, 'signer-dialog');
    await expect(biaPage.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
    await biaPage.goto(biaLink);
    await expect(biaPage.getByText('Você já assinou')).toBeVisible();

    const carlos = await browser.newContext({
      geolocation: place,
      permissions: ['geolocation'],
      locale: 'pt-BR',
      viewport: phone,
      hasTouch: true,
    });
    const carlosPage = await carlos.newPage();
    await carlosPage.goto(await mailedLink(product, 'carlos@exemplo.com.br', 'pediu sua assinatura'));
    await expectAccessible(carlosPage, 'signer-360');
    await signDrawn(carlosPage);
    await expect(carlosPage.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
    await carlosPage.screenshot({ path: 'test-results/shots/signer-done-360.png' });

    const download = await mailedLink(product, 'bia@exemplo.com.br', 'Assinado por todos');
    await mailed(product, 'dora@exemplo.com.br', 'Assinado por todos');
    expect((await product.mails('dora@exemplo.com.br')).length).toBe(1);
    const files = await downloadAll(biaPage, download);
    expect(files.map(({ name }) => name).toSorted()).toEqual(['anexo-assinado.pdf', 'contrato-assinado.pdf']);
    for (const { name, bytes } of files) judge(bytes, name === 'contrato-assinado.pdf' ? contract : turned);

    await page.goto(`${product.url}/signature`);
    await expect(page.getByText('Finalizado')).toBeVisible();
    await page.getByRole('button', { name: /Detalhes de/ }).click();
    await expectAccessible(page, 'home');
    await page.setViewportSize(phone);
    await expectAccessible(page, 'home-360');
    await bia.close();
    await carlos.close();
  });

  test('a signer may reject with a justification of at most 500 characters, and the process ends', async ({ page, browser }) => {
    await signIn(page);
    await createPlainProcess(page, 'Recusa', [
      ['Eva Ramos', 'eva@exemplo.com.br'],
      ['Fábio Melo', 'fabio@exemplo.com.br'],
    ]);
    const other = await (await browser.newContext({ locale: 'pt-BR' })).newPage();
    await other.goto(await mailedLink(product, 'eva@exemplo.com.br', 'Recusa'));
    await other.getByRole('button', { name: 'Rejeitar Assinatura' }).click();
    await other.getByRole('button', { name: 'Enviar recusa' }).click();
    await expect(other.getByText('Escreva por que')).toBeVisible();
    await other.getByLabel('Justificativa').fill('x'.repeat(600));
    await expect(other.getByText('500/500')).toBeVisible();
    await other.getByLabel('Justificativa').fill('Valor diferente do combinado.');
    await expectAccessible(other, 'reject');
    await other.getByRole('button', { name: 'Enviar recusa' }).click();
    await expect(other.getByText('Sua recusa foi registrada')).toBeVisible();
    await mailed(product, creator.email, 'Assinatura recusada');
    expect(await product.mails('fabio@exemplo.com.br')).toEqual([]);
  });

  test('a signer of a later order sees the document and whose turn it is; the owner may cancel', async ({ page, browser }) => {
    await signIn(page);
    await createPlainProcess(page, 'Vez', [
      ['Gil Prado', 'gil@exemplo.com.br'],
      ['Hugo Reis', 'hugo@exemplo.com.br'],
    ]);
    await mailedLink(product, 'gil@exemplo.com.br', 'Vez');
    const hugo = await laterSignerLink(page, 'Vez', 'hugo@exemplo.com.br');
    const other = await (await browser.newContext({ locale: 'pt-BR' })).newPage();
    await other.goto(hugo);
    await expect(other.getByText('Agora é a vez de Gil Prado')).toBeVisible();
    await expect(other.getByRole('button', { name: 'Assinar Documento' })).toHaveCount(0);
    await page.reload();
    await page.getByRole('button', { name: 'Detalhes de Vez' }).click();
    await page.getByRole('button', { name: 'Cancelar processo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
    await expect(page.getByText('Processo cancelado - mensagem enviada!')).toBeVisible();
    await mailed(product, 'gil@exemplo.com.br', 'cancelado');
    await expect(page.getByText('Cancelado').first()).toBeVisible();
  });

  test('geolocation denied is told with help, and nothing is signed', async ({ page, browser }) => {
    await signIn(page);
    await createPlainProcess(page, 'Local', [['Iara Dias', 'iara@exemplo.com.br']]);
    const other = await (await browser.newContext({ locale: 'pt-BR', permissions: [] })).newPage();
    await other.goto(await mailedLink(product, 'iara@exemplo.com.br', 'Local'));
    await fillTyped(other);
    await other.getByRole('button', { name: 'Assinar', exact: true }).click();
    await expect(other.getByText('A localização foi negada')).toBeVisible();
    await other.screenshot({ path: 'test-results/shots/geolocation-denied.png' });
  });

  test('bad files are refused with a clear sentence each', async ({ page }) => {
    await signIn(page);
    await page.setInputFiles('input[type=file]', { name: 'planilha.xlsx', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('x') });
    await expect(page.getByText('“planilha.xlsx” não é um arquivo PDF.')).toBeVisible();
    await createRefused(page, 'texto.pdf', Buffer.from('isto não é um PDF'), 'não é um arquivo PDF');
    await createRefused(page, 'quebrado.pdf', (await makeContract('x', 1)).subarray(0, 300), 'está danificado');
  });
});

async function createRefused(page: Page, name: string, buffer: Buffer, sentence: string): Promise<void> {
  await page.goto(`${product.url}/signature`);
  await page.setInputFiles('input[type=file]', { name, mimeType: 'application/pdf', buffer });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Joana Sá', 'joana@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('button', { name: 'Próximo', exact: true }).last().click();
  await expect(page.getByText(sentence)).toBeVisible();
}

/** The success popup stays for two seconds only: it is waited for while the button is still being pressed. */
async function submitCreation(page: Page): Promise<void> {
  await Promise.all([
    expect(page.getByRole('heading', { name: 'Processo criado' })).toBeVisible({ timeout: 30_000 }),
    page.getByRole('button', { name: 'Próximo', exact: true }).last().click(),
  ]);
  await page.waitForURL('**/signature');
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
    }
    await expect(page.locator('.box-placing')).toHaveCount(0);
  }
  await expect(page.getByText('4/4')).toBeVisible();
}

async function openFromMailbox(page: Page, to: string): Promise<string> {
  const link = await mailedLink(product, to, 'pediu sua assinatura');
  await page.goto(product.mailboxUrl);
  await expectAccessible(page, 'mailbox');
  await page
    .getByRole('link', { name: /pediu sua assinatura/ })
    .first()
    .click();
  // The mail itself stands in a frame where no script runs, not even a test's.
  await page.screenshot({ path: 'test-results/shots/mail.png' });
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Assinar Documento' })).toBeVisible();
  await expect(page.locator('.viewer-page canvas').first()).toBeVisible();
  return link;
}

async function fillTyped(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await page.getByLabel('CPF', { exact: true }).fill('11111111111');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByText('O CPF não confere')).toBeVisible();
  await page.getByLabel('CPF', { exact: true }).fill('52998224725');
  await expect(page.getByLabel('CPF', { exact: true })).toHaveValue('529.982.247-25');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: /^Estilo 1/ }).click();
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
}

async function signTyped(page: Page, shot: string): Promise<void> {
  await fillTyped(page);
  // Going from the mailbox to the product changes the renderer, and the emulated place must be given again.
  await page.context().setGeolocation(place);
  await expectAccessible(page, shot);
  await page.getByRole('button', { name: 'Assinar', exact: true }).click();
}

async function signDrawn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await page.getByLabel('CPF', { exact: true }).fill('111.444.777-35');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('tab', { name: 'Desenhar' }).click();
  await page.getByRole('button', { name: 'Assinar', exact: true }).click();
  await expect(page.getByText('É necessário o envio de uma imagem de assinatura')).toBeVisible();
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
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
  await page.context().setGeolocation(place);
  await expectAccessible(page, 'signer-draw-360');
  await page.getByRole('button', { name: 'Assinar', exact: true }).click();
}

async function downloadAll(page: Page, link: string): Promise<{ name: string; bytes: Buffer }[]> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Baixar selecionados' }).click();
  await expect(page.getByText('É necessário selecionar um item')).toBeVisible();
  await expectAccessible(page, 'download');
  await page.getByRole('button', { name: 'Selecionar tudo' }).click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Baixar selecionados' }).click()]);
  expect(saved.suggestedFilename()).toBe('assinaturas.zip');
  const directory = mkdtempSync(join(tmpdir(), 'lavra-zip-'));
  await saved.saveAs(join(directory, 'a.zip'));
  execFileSync('unzip', ['-q', join(directory, 'a.zip'), '-d', directory]);
  return ['contrato-assinado.pdf', 'anexo-assinado.pdf'].map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
}

/** The uploaded bytes are an exact prefix, and other makers' tools agree with the rest. */
function judge(signed: Buffer, original: Buffer): void {
  expect(signed.subarray(0, original.length).equals(original)).toBe(true);
  const path = join(mkdtempSync(join(tmpdir(), 'lavra-judge-')), 'signed.pdf');
  writeFileSync(path, signed);
  const report = execFileSync('pdfsig', [path], { encoding: 'utf8' });
  expect(report.match(/Signature Validation: Signature is Valid/g)?.length).toBe(3);
  expect(report).toContain('Total document signed');
  expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax or stream encoding errors found');
}

/** The owner sees every signer's link; a later signer has got no mail yet. */
async function laterSignerLink(page: Page, title: string, email: string): Promise<string> {
  return page.evaluate(
    async ([wanted, address]) => {
      const token = sessionStorage.getItem('jhi-authenticationToken') ?? '';
      const get = async <T>(path: string) => (await (await fetch(path, { headers: { Authorization: `Bearer ${token}` } })).json()) as T;
      const { signatureProcesses } = await get<{ signatureProcesses: { id: string }[] }>(`/api/buildProcessesInfos?searchText=${wanted}`);
      const id = signatureProcesses[0]?.id;
      const { signers } = await get<{ signers: { email: string; id: string }[] }>(`/api/buildSubDataProcesses/${id}`);
      const signer = signers.find((one) => one.email === address);
      return `${location.origin}/signer/${id}?user=${signer?.id}`;
    },
    [title, email] as const,
  );
}
