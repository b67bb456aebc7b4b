import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { chooseTypeBy } from './digital.ts';
import { bring, button, expectHeld, field, type Hand, handIn, kinds, link, newHand } from './hands.ts';
import { creator, expectNoFaults, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { entered, linkFor } from './world.ts';

/** First use, certificates of ICP-Brasil, refusals and signature models, each by keys alone and by a finger alone. */

const cpf = { ana: '529.982.247-25', dora: '315.171.913-94' };

for (const by of kinds)
  test.describe.serial(`by ${by} alone`, () => {
    let product: Product;
    let ana: Hand;
    test.beforeAll(async ({ browser }) => {
      product = await startProduct();
      ana = await newHand(browser, by);
    });
    test.afterAll(async () => {
      await ana.page.context().close();
      await product.stop();
    });
    test.afterEach(expectNoFaults);

    test('whoever comes first registers and signs an example', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/login`);
      await ana.write(field(page, 'Nome'), creator.name);
      await ana.write(field(page, 'E-mail'), creator.email);
      await ana.write(field(page, 'Nova senha'), creator.password);
      await ana.write(field(page, 'Repita a senha'), creator.password);
      await ana.press(button(page, 'Criar conta'));
      await expect(page.getByRole('heading', { name: 'Seu primeiro documento em três passos' })).toBeVisible();
      await ana.press(button(page, 'Assinar um exemplo'));
      await page.waitForURL('**/signer/**', { timeout: 60_000 });
      await ana.press(button(page, 'Assinar Documento'));
      await ana.write(field(page, 'CPF'), cpf.ana);
      await ana.press(button(page, 'Continuar'));
      await ana.press(page.getByRole('button', { name: /^Estilo 1/ }));
      await ana.choose(page.getByRole('checkbox', { name: /Li os documentos/ }));
      await ana.press(button(page, 'Assinar'));
      await expect(page.getByText('Você assinou em')).toBeVisible({ timeout: 60_000 });
      await expectHeld(page);
    });

    test('a signer signs with a certificate in a file, and another with one in the cloud that the CPF finds', async ({ browser }) => {
      const call = await entered(product);
      const toDora = await linkFor(product, call, 'Contrato de Dora', ['Dora Lima', 'dora@exemplo.com.br'], 'DIGITAL_SIGNATURE');
      const dora = await newHand(browser, by);
      await chooseTypeBy(dora, toDora, cpf.dora, /Arquivo A1/);
      await dora.press(button(dora.page, 'Continuar'));
      await signWithFile(dora, product, 'errada');
      await expect(dora.page.getByText('A senha não abre este arquivo.')).toBeVisible();
      await expect(dora.page.getByLabel('Senha do certificado')).toBeFocused();
      await dora.write(field(dora.page, 'Senha do certificado'), 'faz-de-conta');
      await dora.press(button(dora.page, 'Assinar'));
      await expect(dora.page.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
      await expectHeld(dora.page);
      await dora.page.context().close();

      const toBeatriz = await linkFor(product, call, 'Contrato de Beatriz', ['Ana Beatriz', 'beatriz@exemplo.com.br'], 'DIGITAL_SIGNATURE');
      const beatriz = await newHand(browser, by);
      await chooseTypeBy(beatriz, toBeatriz, cpf.ana, /Na nuvem/);
      const search = button(beatriz.page, 'Buscar certificado');
      const [window] = await Promise.all([beatriz.page.context().waitForEvent('page'), beatriz.press(search)]);
      watchServer(window);
      await handIn(window, by).press(button(window, 'Autorizar'));
      await expect(beatriz.page.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
      await expectHeld(beatriz.page);
      await beatriz.page.context().close();
    });

    test('a signer refuses, and says why', async ({ browser }) => {
      const eva = await newHand(browser, by);
      await eva.page.goto(await linkFor(product, await entered(product), 'Recusa', ['Eva Ramos', 'eva@exemplo.com.br']));
      await eva.press(button(eva.page, 'Rejeitar Assinatura'));
      await eva.press(button(eva.page, 'Enviar recusa'));
      await expect(eva.page.getByLabel('Justificativa')).toBeFocused();
      await expect(eva.page.getByText('Escreva por que')).toBeVisible();
      await eva.write(eva.page.getByLabel('Justificativa'), 'Valor diferente do combinado.');
      await eva.press(button(eva.page, 'Enviar recusa'));
      await expect(eva.page.getByText('Sua recusa foi registrada')).toBeVisible();
      await expectHeld(eva.page);
      await eva.page.context().close();
    });

    test('a signature model is made, changed and deleted', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/signature-model`);
      await ana.press(link(page, 'Novo modelo de assinatura'));
      await ana.write(field(page, 'Nome'), 'Contratos');
      await ana.choose(page.getByRole('radio', { name: 'Somente texto' }));
      await ana.write(field(page, 'Texto'), 'De acordo:');
      await ana.press(button(page, 'Salvar'));
      await ana.press(link(page, 'Editar Contratos'));
      await expect(field(page, 'Texto')).toHaveValue('De acordo:');
      await ana.write(field(page, 'Nome'), 'Diretoria');
      await ana.press(button(page, 'Salvar'));
      await ana.press(link(page, 'Excluir Diretoria'));
      await ana.press(button(page, 'Excluir'));
      await expect(page.getByText('Você ainda não tem modelos.')).toBeVisible();
      await expectHeld(page);
    });
  });

async function signWithFile(hand: Hand, product: Product, password: string): Promise<void> {
  const { page, by } = hand;
  const choosing = page.locator('dialog label', { has: page.locator('input[type=file][accept*=pfx]') });
  // Keys stand on the field, a finger meets what it is drawn as.
  await bring(hand, by === 'keys' ? choosing.locator('input') : choosing, join(product.dataDir, 'development/certificados/dora-a1.p12'));
  await hand.write(field(page, 'Senha do certificado'), password);
  await hand.press(button(page, 'Assinar'));
}
