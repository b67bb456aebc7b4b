import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import {
  addSigner,
  chooseTyped,
  createPlainProcess,
  creator,
  expectNoFaults,
  fillPerson,
  newPerson,
  openSignature,
  phone,
  place,
  pressSign,
  registerFirstAccount,
  signIn,
  submitCreation,
  watchServer,
} from './people.ts';
import { mailed, mailedLink, type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
});
test.afterAll(() => product.stop());
test.beforeEach(async ({ page }) => {
  watchServer(page);
  await signIn(product, page);
});
test.afterEach(expectNoFaults);

test('a signer may reject with a justification of at most 500 characters, and the process ends', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Recusa', [
    ['Eva Ramos', 'eva@exemplo.com.br'],
    ['Fábio Melo', 'fabio@exemplo.com.br'],
  ]);
  const eva = await newPerson(browser);
  const link = await mailedLink(product, 'eva@exemplo.com.br', 'Recusa');
  await openSignature(eva, link);
  await eva.getByRole('button', { name: 'Rejeitar Assinatura' }).click();
  await eva.getByRole('button', { name: 'Enviar recusa' }).click();
  await expect(eva.getByText('Escreva por que')).toBeVisible();
  await expect(eva.getByLabel('Justificativa')).toBeFocused();
  await eva.getByLabel('Justificativa').fill('x'.repeat(600));
  await expect(eva.getByText('Escreva por que')).toHaveCount(0);
  await expect(eva.getByText('500/500')).toBeVisible();
  await eva.getByLabel('Justificativa').fill('Valor diferente do combinado.');
  await expectAccessible(eva, 'reject');
  await eva.getByRole('button', { name: 'Enviar recusa' }).click();
  await expect(eva.getByText('Sua recusa foi registrada')).toBeVisible();
  await mailed(product, creator.email, 'Assinatura recusada');
  expect(await product.mails('fabio@exemplo.com.br')).toEqual([]);
  await eva.goto(link);
  await expect(eva.getByText('Você já recusou esta assinatura.')).toBeVisible();
  await expect(eva.getByRole('button', { name: 'Assinar Documento' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('cell', { name: 'Rejeitado', exact: true })).toBeVisible();
});

test('a signer of a later order sees the document and whose turn it is; the owner may cancel', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Vez', [
    ['Gil Prado', 'gil@exemplo.com.br'],
    ['Hugo Reis', 'hugo@exemplo.com.br'],
  ]);
  const gil = await mailedLink(product, 'gil@exemplo.com.br', 'Vez');
  const hugo = await newPerson(browser);
  // Who is not called yet has no link at all: what the page says to them is shown in the place of Gil's own answer.
  await hugo.route('**/api/requisitionInformation/**', async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { me: object };
    await route.fulfill({ json: { ...told, me: { ...told.me, can: { sign: false }, reason: 'signer.notYourTurn', turnOf: 'Gil Prado' } } });
  });
  await hugo.goto(gil);
  await expect(hugo.getByText('Agora é a vez de Gil Prado')).toBeVisible();
  await expect(hugo.locator('.viewer-page canvas').first()).toBeVisible();
  await expect(hugo.getByRole('button', { name: 'Assinar Documento' })).toHaveCount(0);
  await expectAccessible(hugo, 'wrong-turn');
  await hugo.unroute('**/api/requisitionInformation/**');
  await page.reload();
  await page.getByRole('button', { name: 'Detalhes de Vez' }).click();
  await page.getByRole('button', { name: 'Cancelar processo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
  await expect(page.getByText('Processo cancelado - mensagem enviada!')).toBeVisible();
  await mailed(product, 'gil@exemplo.com.br', 'cancelado');
  await expect(page.locator('.badge', { hasText: 'Cancelado' }).first()).toBeVisible();
  // The filter says what the list says.
  await page.getByRole('combobox', { name: 'Situação' }).selectOption('Cancelado');
  await expect(page.getByRole('link', { name: 'Vez' })).toBeVisible();
  await expect(page.locator('tbody .badge').first()).toHaveText('Cancelado');
  // Also where the page stood open while they waited.
  await expect(hugo.getByText(/Ana cancelou este processo em \d/)).toBeVisible();
  await hugo.goto(gil);
  await expect(hugo.getByText('Este processo já foi encerrado.')).toBeVisible();
  // The end is shown for everybody: who, when, and that nobody is waited for.
  await expect(hugo.getByText(/Ana cancelou este processo em \d/)).toBeVisible();
  await hugo.getByText('Pedido por Ana').click();
  await expect(hugo.locator('.signing-people').getByText('Não chegou a assinar')).toHaveCount(2);
  await expect(hugo.getByRole('button', { name: 'Assinar Documento' })).toHaveCount(0);
});

test('with the process alone a visitor sees masked names and cannot act; half a link is told', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Visita', [['Lia Porto', 'lia@exemplo.com.br']]);
  const link = new URL(await mailedLink(product, 'lia@exemplo.com.br', 'Visita'));
  const visitor = await newPerson(browser);
  await visitor.goto(`${link.origin}${link.pathname}`);
  await expect(visitor.getByText('abra o link que chegou ao seu e-mail')).toBeVisible();
  await expect(visitor.getByText('lia@exemplo.com.br')).toHaveCount(0);
  await expect(visitor.getByRole('button', { name: 'Assinar Documento' })).toHaveCount(0);
  await expectAccessible(visitor, 'visitor');
  await visitor.goto(`${link.href.slice(0, -4)}0000`);
  await expect(visitor.getByText('Este link de assinatura não existe')).toBeVisible();
});

test('geolocation denied or all zeros is told with help, nothing is signed, and a second try signs', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Local', [['Iara Dias', 'iara@exemplo.com.br']]);
  const iara = await newPerson(browser, { permissions: [], viewport: phone });
  await openSignature(iara, await mailedLink(product, 'iara@exemplo.com.br', 'Local'));
  await fillPerson(iara);
  await chooseTyped(iara);
  await pressSign(iara);
  await expect(iara.getByText('A localização foi negada')).toBeVisible();
  await expectAccessible(iara, 'place-denied');
  await iara.context().grantPermissions(['geolocation']);
  await iara.context().setGeolocation({ latitude: 0, longitude: 0, accuracy: 0 });
  await iara.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(iara.getByText('Erro ao obter dados geográficos. Tente novamente mais tarde.')).toBeVisible();
  await iara.context().setGeolocation(place);
  await iara.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(iara.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
});

test('whoever leaves the dialog without a place returns to their list, and who has none stays', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Sem local', [['Olga Dias', 'olga@exemplo.com.br']]);
  const link = await mailedLink(product, 'olga@exemplo.com.br', 'Sem local');
  const olga = await newPerson(browser, { permissions: [] });
  for (const person of [olga, page]) {
    await openSignature(person, link);
    await fillPerson(person);
    await chooseTyped(person);
    await pressSign(person);
    await expect(person.getByText('A localização foi negada')).toBeVisible();
    await person.keyboard.press('Escape');
    await expect(person.getByRole('dialog')).toHaveCount(0);
  }
  await expect(page).toHaveURL(/\/signature$/);
  expect(olga.url()).toBe(link);
  await expect(olga.getByRole('button', { name: 'Assinar Documento' })).toBeVisible();
  // Whoever only looked at the dialog stays.
  await openSignature(page, link);
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await expect(page.getByRole('dialog').getByLabel('CPF', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(page.url()).toBe(link);
});

test('a picture of a signature is cleaned and used; a blank one and another kind of file are refused', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Imagem', [['Nara Alves', 'nara@exemplo.com.br']]);
  const nara = await newPerson(browser, { geolocation: place, permissions: ['geolocation'] });
  await openSignature(nara, await mailedLink(product, 'nara@exemplo.com.br', 'Imagem'));
  await nara.context().setGeolocation(place);
  await fillPerson(nara);
  await nara.getByRole('tab', { name: 'Enviar imagem' }).click();
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    nara.getByLabel('Escolha a imagem').setInputFiles({ name, mimeType, buffer });
  await choose('assinatura.png', 'image/png', Buffer.from('GIF89a'));
  await expect(nara.getByText('A imagem da assinatura precisa ser JPEG ou PNG.')).toBeVisible();
  await choose('branco.png', 'image/png', await picture(nara, 'image/png', false));
  await expect(nara.getByText('A imagem da assinatura está em branco')).toBeVisible();
  await choose('foto.jpg', 'image/jpeg', await picture(nara, 'image/jpeg', true));
  await expect(nara.getByRole('img', { name: 'Sua assinatura' })).toBeVisible();
  await nara.getByRole('checkbox', { name: /Li os documentos/ }).check();
  await expectAccessible(nara, 'sign-uploaded');
  await pressSign(nara);
  await expect(nara.getByText('Todas as pessoas já assinaram')).toBeVisible({ timeout: 30_000 });
  await nara.getByRole('link', { name: 'Baixar' }).click();
  await expect(nara.getByRole('checkbox', { name: /Imagem-assinado/ })).toBeVisible();
});

test('name and CPF are remembered on the device only when asked for', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Lembrar', [['Olga Pires', 'olga@exemplo.com.br']]);
  const link = await mailedLink(product, 'olga@exemplo.com.br', 'Lembrar');
  const olga = await newPerson(browser);
  await openSignature(olga, link);
  await fillPerson(olga);
  expect(await olga.context().cookies()).toEqual([]);
  await olga.getByRole('button', { name: 'Voltar' }).click();
  await olga.getByRole('checkbox', { name: /Lembrar/ }).check();
  await olga.getByRole('button', { name: 'Continuar' }).click();
  await expect(olga.getByRole('button', { name: /^Estilo 1/ })).toBeVisible();
  const [cookie] = await olga.context().cookies(link);
  expect(cookie?.sameSite).toBe('Strict');
  expect(Math.round(((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000)).toBe(100);
  await openSignature(olga, link);
  await olga.getByRole('button', { name: 'Assinar Documento' }).click();
  await expect(olga.getByLabel('CPF', { exact: true })).toHaveValue('529.982.247-25');
});

test('an owner who comes to the documents without a session signs in and is brought back', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Volta', [['Rui Maia', 'rui@exemplo.com.br']]);
  const id = new URL(await mailedLink(product, 'rui@exemplo.com.br', 'Volta')).pathname.split('/').at(-1);
  const owner = await newPerson(browser);
  await owner.goto(`${product.url}/download/${id}`);
  await owner.waitForURL('**/login');
  await owner.getByLabel('E-mail').fill(creator.email);
  await owner.getByLabel('Senha', { exact: true }).fill(creator.password);
  await owner.getByRole('button', { name: 'Entrar', exact: true }).click();
  await owner.waitForURL(`**/download/${id}`);
  await expect(owner.getByRole('heading', { name: 'Volta' })).toBeVisible();
  await owner.goto(`${product.url}/signature?page=99`);
  await owner.waitForURL('**/signature?page=1&**');
  await expect(owner.getByRole('button', { name: 'Detalhes de Volta' })).toBeVisible();
});

/** Paper under uneven light, photographed: with a stroke of ink, or without. */
async function picture(page: Page, type: string, inked: boolean): Promise<Buffer> {
  const url = await page.evaluate(
    ([kind, withInk]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 500 });
      const context = canvas.getContext('2d');
      if (!context) return '';
      const light = context.createLinearGradient(0, 0, 900, 500);
      light.addColorStop(0, '#ffffff');
      light.addColorStop(1, '#b8b2a4');
      context.fillStyle = light;
      context.fillRect(0, 0, 900, 500);
      if (withInk) {
        context.lineWidth = 7;
        context.strokeStyle = '#1c2440';
        context.beginPath();
        context.moveTo(150, 330);
        context.bezierCurveTo(260, 60, 330, 470, 430, 220);
        context.bezierCurveTo(500, 90, 560, 420, 740, 200);
        context.stroke();
      }
      return canvas.toDataURL(kind);
    },
    [type, inked] as const,
  );
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

test('a stored file that is gone is told as our fault, not as the file’s', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Sumiu', [['Gil Paz', 'gil@exemplo.com.br']]);
  const link = await mailedLink(product, 'gil@exemplo.com.br', 'Sumiu');
  const blobs = join(product.dataDir, 'blobs');
  for (const folder of await readdir(blobs)) if (/^[0-9a-f]{2}$/.test(folder)) await rm(join(blobs, folder), { recursive: true });
  // Not watched: what is gone is answered with 500 and a code of its own.
  const gil = await (await browser.newContext({ locale: 'pt-BR', viewport: phone })).newPage();
  await gil.goto(link);
  await expect(gil.getByText('A falha é nossa, não do arquivo')).toBeVisible();
  await expectAccessible(gil, 'storedFileGone');
  await gil.context().close();
});

test('a form that is refused leads to the first field that is wrong, wherever its button stands', async ({ page }) => {
  await page.goto(`${product.url}/account/settings`);
  await page.getByLabel('Nome', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByLabel('Nome', { exact: true })).toBeFocused();

  // The second time as well, where nothing new is said.
  await page.goto(`${product.url}/validateLogin`);
  await page.getByLabel('Identificador do documento').fill('12d417a5-6205-42f8-a8cb-39ef3ebb9f8b');
  for (const _attempt of [1, 2]) {
    await page.getByRole('button', { name: 'Conferir', exact: true }).click();
    await expect(page.getByLabel('E-mail de um signatário')).toBeFocused();
  }

  // That something is under way is seen, and what was wrong before is not told any more.
  await page.getByLabel('E-mail de um signatário').fill('ninguem@exemplo.com.br');
  const check = page.getByRole('button', { name: 'Conferir', exact: true });
  await check.click();
  const refusal = page.getByRole('alert').filter({ visible: true });
  await expect(refusal).toBeVisible();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/loginValidation**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await check.click();
  await expect(check).toHaveAttribute('aria-busy', 'true');
  await expect(refusal).toHaveCount(0);
  held.resolve();
  await expect(refusal).toBeVisible();
  await expect(check).toBeEnabled();

  // What only the server knows.
  await page.goto(`${product.url}/account/password`);
  await page.getByLabel('Senha atual').fill('Errada123');
  await page.getByLabel('Nova senha').fill('Segredo124');
  await page.getByLabel('Repita a senha').fill('Segredo124');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('A senha atual não confere.')).toBeVisible();
  await expect(page.getByLabel('Senha atual')).toBeFocused();
});

test('a signer who is corrected stays where they stood: the keys too; a link of theirs that was copied before is not told of as good', async ({
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await createPlainProcess(product, page, 'Endereço errado', [['Nina Prado', 'nina@exemplo.com.br']]);
  await page.getByRole('link', { name: 'Endereço errado' }).click();
  await page.getByRole('button', { name: 'Copiar link' }).click();
  await expect(page.getByText('Link copiado.')).toBeVisible();
  const opener = page.getByRole('button', { name: 'Corrigir dados' });
  await opener.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Telefone (opcional)').fill('(11) 98888-7777');
  await dialog.getByLabel('CNPJ que representa (opcional)').fill('11222333000180');
  await dialog.getByRole('button', { name: 'Corrigir e reenviar convite' }).click();
  await expect(dialog.getByText('Este CNPJ não existe')).toBeVisible();
  await dialog.getByLabel('CNPJ que representa (opcional)').fill('11222333000181');
  await expectAccessible(page, 'correct-signer');
  await dialog.getByLabel('E-mail').fill('nina.certa@exemplo.com.br');
  // Whatever else is read anew after it takes its time: from the moment that the new address is there, nothing is told of the old link.
  let letIn = () => {};
  const isLetIn = new Promise<void>((resolve) => (letIn = resolve));
  await page.route('**/api/signature-processes/*/story', (route) => isLetIn.then(() => route.continue()));
  await page.getByRole('button', { name: 'Corrigir e reenviar convite' }).click();
  await expect(page.locator('.people').getByText('nina.certa@exemplo.com.br', { exact: true })).toBeVisible();
  await expect(page.getByText('Link copiado.')).toHaveCount(0, { timeout: 1 });
  letIn();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(page.getByText('Link copiado.')).toHaveCount(0);
});

test('whoever has signed sees their own signature as it stands, and that somebody ended the process since', async ({ page, browser }) => {
  await page.setInputFiles('input[type=file]', {
    name: 'Distrato.pdf',
    mimeType: 'application/pdf',
    buffer: await makeContract('Distrato', 1),
  });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Otto Reis', 'otto@exemplo.com.br');
  await addSigner(page, 'Pia Lopes', 'pia@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento', disabled: false }).check();
  for (const [index, name] of ['Otto Reis', 'Pia Lopes'].entries()) {
    await page.getByRole('button', { name: `Iniciar (${name})` }).click();
    await expect(page.locator('.box-placing')).toBeFocused();
    for (let step = 0; step < 12 * (index + 1); step += 1) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Enter');
  }
  await submitCreation(page);
  const otto = await newPerson(browser, { geolocation: place, permissions: ['geolocation'] });
  const link = await mailedLink(product, 'otto@exemplo.com.br', 'Distrato');
  await openSignature(otto, link);
  await expect(otto.locator('.own-place')).toContainText('***.000.000');
  await fillPerson(otto);
  await chooseTyped(otto);
  await pressSign(otto);
  await expect(otto.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
  const pia = await newPerson(browser);
  await openSignature(pia, await mailedLink(product, 'pia@exemplo.com.br', 'Distrato'));
  await pia.getByRole('button', { name: 'Rejeitar Assinatura' }).click();
  await pia.getByLabel('Justificativa').fill('Falta uma cláusula.');
  await pia.getByRole('button', { name: 'Enviar recusa' }).click();
  await expect(pia.getByText('Sua recusa foi registrada')).toBeVisible();
  await otto.goto(link);
  await expect(otto.getByText('Você já assinou. Obrigado! Pia Lopes recusou assinar')).toBeVisible();
  await expect(otto.getByText('Falta uma cláusula.')).toHaveCount(0);
  await expect(otto.getByRole('img', { name: 'Sua assinatura está aqui, na página 1' })).toBeVisible();
  await expect(otto.locator('.own-place')).toHaveText('Sua assinatura');
});
