import { expect, test } from '@playwright/test';
import { makeContract } from './documents.ts';
import { bring, button, expectHeld, field, type Hand, kinds, link, newHand } from './hands.ts';
import { creator, expectNoFaults, newPerson, registerFirstAccount, signIn } from './people.ts';
import { type Product, startProduct } from './product.ts';

/** What is kept and changed beside signing, each by keys alone and by a finger alone: people of a list, entities, accounts, settings. */

const nova = { name: 'Nova', email: 'nova@exemplo.com.br' };

for (const by of kinds)
  test.describe.serial(`by ${by} alone`, () => {
    let product: Product;
    let ana: Hand;
    test.beforeAll(async ({ browser }) => {
      product = await startProduct();
      const first = await newPerson(browser);
      await registerFirstAccount(product, first);
      await first.context().close();
      ana = await newHand(browser, by);
      await signIn(product, ana.page);
    });
    test.afterAll(async () => {
      await ana.page.context().close();
      await product.stop();
    });
    test.afterEach(expectNoFaults);

    test('people come from a pasted list, one is corrected in place, taken off and brought back, and two are called at the same time', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/signature`);
      const file = { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: await makeContract('Aluguel', 1) };
      await bring(ana, button(page, 'Importar'), file);
      await page.waitForURL('**/prepare');
      await ana.press(button(page, 'Eu também assino'));
      await ana.press(button(page, 'Colar uma lista'));
      const dialog = page.getByRole('dialog');
      await ana.write(dialog.getByLabel('Uma pessoa por linha'), 'Davi Reis; davi@exemplo.com.br\nElis Sá; elis@exemplo.com.br');
      await ana.press(button(dialog, 'Adicionar 2 pessoas'));
      await ana.press(button(page, 'Corrigir Davi Reis'));
      const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
      await ana.write(rows.getByLabel('Nome'), 'Davi Reis Filho');
      await ana.press(button(page, 'Salvar'));
      await ana.choose(page.getByRole('checkbox', { name: 'ao mesmo tempo que Davi' }));
      await expect(rows.nth(2).getByRole('cell').first()).toHaveText('2');
      await ana.press(button(page, 'Remover Elis Sá'));
      await expect(rows).toHaveCount(2);
      await ana.press(button(page, 'Desfazer'));
      await expect(rows).toHaveCount(3);
      await expectHeld(page);
    });

    test('a contract type is made, found, changed and deleted; a fault leads to its field', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/contract-type`);
      await ana.press(link(page, 'Novo tipo de contrato'));
      await ana.press(button(page, 'Salvar'));
      await expect(field(page, 'Nome')).toBeFocused();
      await ana.write(field(page, 'Nome'), 'Plano Ágata');
      await ana.write(page.getByLabel('Armazenamento (MB)'), '2048');
      await ana.press(button(page, 'Salvar'));
      await ana.write(page.getByRole('searchbox', { name: 'Buscar' }), 'agata');
      await expect(page.getByText('1 a 1 de 1')).toBeVisible();
      await ana.press(link(page, 'Plano Ágata'));
      await ana.press(link(page, 'Editar'));
      await ana.write(field(page, 'Nome'), 'Plano Ônix');
      await ana.press(button(page, 'Salvar'));
      await ana.write(page.getByRole('searchbox', { name: 'Buscar' }), '');
      await ana.press(link(page, 'Excluir Plano Ônix'));
      await ana.press(button(page, 'Excluir'));
      await expect(page.getByText('Excluído.').first()).toBeVisible();
      await expect(link(page, 'Plano Ônix')).toHaveCount(0);
      await expectHeld(page);
    });

    test('a person’s data are taken as a file and erased with the address typed', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/admin/users`);
      await ana.press(link(page, 'Nova conta'));
      await ana.write(field(page, 'E-mail'), nova.email);
      await ana.write(field(page, 'Nome'), nova.name);
      await ana.press(button(page, 'Salvar'));
      await ana.press(link(page, nova.email));
      const [download] = await Promise.all([page.waitForEvent('download'), ana.press(button(page, 'Exportar os dados'))]);
      expect(download.suggestedFilename()).toBe('dados-pessoais.zip');
      await ana.press(button(page, 'Apagar os dados'));
      const dialog = page.getByRole('dialog');
      await ana.write(dialog.getByLabel('Para confirmar, digite o e-mail da conta'), nova.email);
      await ana.press(button(dialog, 'Apagar os dados'));
      await expect(page.getByText('Os dados pessoais foram apagados.').first()).toBeVisible();
      await expectHeld(page);
    });

    test('a zone is chosen, a wrong password is told beside its field, other sessions are ended, the password is changed', async ({
      browser,
    }) => {
      const { page } = ana;
      const elsewhere = await newPerson(browser);
      await signIn(product, elsewhere);
      await page.goto(`${product.url}/account/settings`);
      await ana.write(page.getByRole('combobox', { name: 'Fuso horário' }), 'manaus');
      const option = page.getByRole('option', { name: /Manaus/ });
      await expect(option).toBeVisible();
      // Of a combobox the arrows choose while the keys stay in its field.
      if (by === 'keys') await page.keyboard.press('ArrowDown').then(() => page.keyboard.press('Enter'));
      else {
        // On a telephone the list waits for the keyboard to come, and shows then where it fits.
        await expect(page.locator('.popover')).toHaveCSS('opacity', '1');
        await option.tap();
      }
      await ana.press(button(page, 'Salvar'));
      await expect(page.getByText('Configurações salvas.').first()).toBeVisible();
      await ana.press(button(page, 'Trocar e-mail'));
      await ana.write(page.getByLabel('Novo e-mail'), 'outra@exemplo.com.br');
      await ana.write(page.getByLabel('Senha atual'), 'Errada123');
      await ana.press(button(page, 'Enviar confirmação'));
      await expect(page.getByText('A senha atual não confere.')).toBeVisible();
      await ana.press(button(page, 'Encerrar todas as outras'));
      await expect(page.getByRole('listitem').filter({ hasText: 'Último uso' })).toHaveCount(1);
      await expectHeld(page);
      await elsewhere.context().close();

      await page.goto(`${product.url}/account/password`);
      await ana.write(page.getByLabel('Senha atual'), creator.password);
      await ana.write(field(page, 'Nova senha'), 'Outra-Senha-77');
      await ana.write(field(page, 'Repita a senha'), 'Outra-Senha-77');
      await ana.press(button(page, 'Salvar'));
      await expect(page.getByText('Senha alterada').first()).toBeVisible();
    });
  });
