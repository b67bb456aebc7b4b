import { expect, type Route, test } from '@playwright/test';
import { encrypted, makeContract, makeHeavy, withoutPages } from './documents.ts';
import { bring, button, expectHeld, field, type Hand, kinds, newHand } from './hands.ts';
import { coverBy, expectNoFaults, registerFirstAccount } from './people.ts';
import { type Product, startProduct } from './product.ts';

/** Files that are bad, shut or heavy, and what is left of a contract, each by keys alone and by a finger alone. */

// A control that is not there says so soon.
test.use({ actionTimeout: 20_000 });

const PIECE = 2 * 1024 * 1024;
const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

for (const by of kinds)
  test.describe(`by ${by} alone`, () => {
    let product: Product;
    let ana: Hand;
    test.beforeAll(async ({ browser }) => {
      product = await startProduct();
      ana = await newHand(browser, by);
      await registerFirstAccount(product, ana.page);
    });
    test.afterAll(async () => {
      await ana.page.context().close();
      await product.stop();
    });
    test.afterEach(expectNoFaults);

    test('bad files are told and taken off, one with a password is opened at its name, and what is left goes out', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/signature`);
      await bring(ana, button(page, 'Importar'), { name: 'planilha.xlsx', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('x') });
      await expect(page.getByText('“planilha.xlsx” não é um arquivo PDF.')).toBeVisible();
      await expectHeld(page);
      const contract = await makeContract('Contrato', 1);
      await bring(ana, button(page, 'Importar'), [
        pdf('vazio.pdf', Buffer.alloc(0)),
        pdf('danificado.pdf', contract.subarray(0, 300)),
        pdf('sem páginas.pdf', withoutPages()),
        pdf('fechado.pdf', encrypted(contract)),
      ]);
      await page.waitForURL('**/prepare');
      await expect(page.getByText('“vazio.pdf” está vazio.')).toBeVisible();
      for (const name of ['danificado.pdf', 'sem páginas.pdf']) {
        await expect(page.getByRole('alert').getByText(`“${name}”`)).toBeVisible();
        await ana.press(button(page, `Remover ${name}`));
        await expect(button(page, `Remover ${name}`)).toHaveCount(0);
        await expectHeld(page);
      }
      await ana.write(field(page, 'Senha de fechado.pdf'), 'errada');
      await ana.press(button(page, 'Abrir arquivo'));
      await expect(field(page, 'Senha de fechado.pdf')).toHaveAccessibleDescription(/A senha não abre este arquivo/);
      await expectHeld(page);
      await ana.write(field(page, 'Senha de fechado.pdf'), 'segredo');
      await ana.press(button(page, 'Abrir arquivo'));
      await expect(page.getByText('Aberto com a senha.')).toBeVisible();
      await expectHeld(page);
      await toConfirmation(ana);
      await ana.press(button(page, /^Enviar para/));
      await page.waitForURL('**/signature', { timeout: 60_000 });
    });

    test('a heavy file whose line breaks says so, and goes on by itself', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/signature`);
      await bring(ana, button(page, 'Importar'), pdf(`planta ${by}.pdf`, await makeHeavy('Planta', 3 * PIECE)));
      await page.waitForURL('**/prepare');
      await toConfirmation(ana);
      const broken = Promise.withResolvers<void>();
      const breakOnce = async (route: Route) => {
        await page.context().setOffline(true);
        await route.abort('internetdisconnected');
        broken.resolve();
      };
      await page.route(new RegExp(`/api/uploads/.*from=${PIECE}(&|$)`), breakOnce, { times: 1 });
      await ana.press(button(page, /^Enviar para/));
      await broken.promise;
      await expect(page.getByText('Sem conexão. O envio continua de onde parou assim que ela voltar.')).toBeVisible();
      await expectHeld(page);
      await page.context().setOffline(false);
      await page.waitForURL('**/signature', { timeout: 60_000 });
      await expect(page.getByText(`planta ${by}`).first()).toBeVisible();
    });

    test('who sends the last of a contract’s signatures is told, and who has none left is refused beside the button', async () => {
      const { page } = ana;
      await coverBy(page, { eletronicSignatures: '1' });
      for (const title of ['Último', 'Demais']) {
        await page.goto(`${product.url}/signature`);
        await bring(ana, button(page, 'Importar'), pdf(`${title}.pdf`, await makeContract(title, 1)));
        await page.waitForURL('**/prepare');
        await toConfirmation(ana);
        await ana.press(button(page, /^Enviar para/));
        if (title === 'Demais') break;
        const alert = page.getByRole('dialog', { name: 'Uso do contrato' });
        await expect(alert.getByText('Não resta nenhuma assinatura eletrônica')).toBeVisible();
        await ana.press(button(alert, 'Entendi'));
        await page.waitForURL('**/signature');
      }
      await expect(page.getByText(/O limite de assinaturas eletrônicas do contrato/)).toBeInViewport();
      await expectHeld(page);
    });

    test('a visitor learns what is no PDF, what is not signed and what is not known', async ({ browser }) => {
      const visitor = await newHand(browser, by);
      const { page } = visitor;
      await page.goto(`${product.url}/validateLogin`);
      const words = 'Escolher arquivo PDF';
      // Keys stand on the field, a finger meets the words that it is drawn as.
      const choosing = by === 'keys' ? page.getByLabel(words) : page.locator('label', { hasText: words });
      await bring(visitor, choosing, pdf('foto.pdf', Buffer.from('GIF89a')));
      await expect(page.getByText('Este arquivo não é um PDF.')).toBeInViewport();
      await expectHeld(page);
      await bring(visitor, choosing, pdf('contrato.pdf', await makeContract('Contrato', 1)));
      await expect(page.getByText('Este arquivo não tem nenhuma assinatura digital.')).toBeInViewport();
      await visitor.write(field(page, 'Identificador do documento'), '12d417a5-6205-42f8-a8cb-39ef3ebb9f8b');
      await visitor.write(field(page, 'E-mail de um signatário'), 'bia@exemplo.com.br');
      await visitor.press(button(page, 'Conferir'));
      await expect(page.getByRole('alert').last()).toBeInViewport();
      await expectHeld(page);
      await page.context().close();
    });
  });

/** One person more, and what kind of signature. */
async function toConfirmation(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.write(field(page, 'Nome'), 'Bia Lima');
  await hand.write(field(page, 'E-mail'), 'bia@exemplo.com.br');
  await hand.press(button(page, 'Adicionar signatário'));
  await expect(page.getByRole('cell', { name: 'bia@exemplo.com.br' })).toBeVisible();
  await hand.press(button(page, 'Próximo'));
  await page.waitForURL('**/confirm');
  await hand.choose(page.getByRole('radio', { name: /Assinatura eletrônica/ }));
}
