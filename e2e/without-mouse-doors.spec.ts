import { expect, type Page, test } from '@playwright/test';
import { button, expectHeld, field, kinds, newHand, opens } from './hands.ts';
import { creator, expectNoFaults, newPerson, registerFirstAccount, signIn, withAuthenticator } from './people.ts';
import { type Product, startProduct } from './product.ts';

/** Ways in beside a password, each by keys alone and by a finger alone: a passkey, codes to keep, and other houses' accounts. */

const strangers = { keys: { house: 'Google', name: /Ana Beatriz/ }, finger: { house: 'gov.br', name: /Carlos Eduardo/ } } as const;

// A control that is not there says so soon.
test.use({ actionTimeout: 20_000 });

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const first = await newPerson(browser);
  await registerFirstAccount(product, first);
  await first.context().close();
});
test.afterAll(() => product.stop());
test.afterEach(expectNoFaults);

for (const by of kinds) {
  test(`by ${by} alone, a passkey is made, named, signs in alone, and a code to keep signs in without it; it is removed`, async ({
    browser,
  }) => {
    const ana = await newHand(browser, by);
    const { page } = ana;
    await withAuthenticator(page);
    await signIn(product, page);
    await page.goto(`${product.url}/account/second-factor`);
    await ana.press(button(page, 'Criar chave de acesso'));
    await ana.write(field(page, 'Senha'), 'errada-1234');
    await ana.press(button(page, 'Continuar'));
    await expect(page.getByText('A senha atual não confere.')).toBeVisible();
    await expectHeld(page);
    await ana.write(field(page, 'Senha'), creator.password);
    await ana.press(button(page, 'Continuar'));
    await expect(page.getByText('Guarde estes códigos agora')).toBeVisible();
    await expectHeld(page);
    const code = await page.locator('.backup-codes code').first().innerText();
    await ana.choose(page.getByRole('checkbox', { name: 'Guardei os códigos' }));
    await ana.press(button(page, 'Continuar'));
    await ana.press(button(page, /^Mudar o nome de/));
    await ana.write(field(page, 'Nome da chave de acesso'), 'Notebook');
    await ana.press(button(page, 'Salvar'));
    await expect(page.getByText('Notebook')).toBeVisible();
    await expectHeld(page);

    await leave(page);
    await ana.press(button(page, 'Entrar com chave de acesso'));
    await page.waitForURL('**/signature');
    await leave(page);
    await ana.write(field(page, 'E-mail'), creator.email);
    await ana.write(field(page, 'Senha'), creator.password);
    await ana.press(button(page, 'Entrar'));
    await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
    await ana.press(button(page, 'Usar um código de reserva'));
    await ana.write(field(page, 'Código de reserva'), 'aaaa-aaaa-aaaa');
    await ana.press(button(page, 'Confirmar e entrar'));
    await expect(page.getByText('Este código de reserva não confere ou já foi usado.')).toBeVisible();
    await expectHeld(page);
    await ana.write(field(page, 'Código de reserva'), code);
    await ana.press(button(page, 'Confirmar e entrar'));
    await page.waitForURL('**/signature');

    await page.goto(`${product.url}/account/second-factor`);
    await ana.press(button(page, 'Remover Notebook'));
    await ana.press(button(page.getByRole('dialog'), 'Usar chave de acesso'));
    await expect(page.getByText('Notebook')).toHaveCount(0);
    await expectHeld(page);
    await page.context().close();
  });

  test(`by ${by} alone, somebody comes in through another house: shuts its window first, is asked, and has an account`, async ({
    browser,
  }) => {
    const { house, name } = strangers[by];
    const stranger = await newHand(browser, by);
    const { page } = stranger;
    await page.goto(`${product.url}/login`);
    const enter = button(page, `Entrar com ${house}`);
    const shut = await opens(stranger, stranger.press(enter));
    await shut.page.getByText('Entrar como:').waitFor();
    await shut.page.close();
    await expect(page.getByText('A janela de entrada foi fechada antes do fim.')).toBeVisible();
    await expectHeld(page);
    const window = await opens(stranger, stranger.press(enter));
    await window.press(window.page.getByRole('button', { name }));
    const question = page.getByRole('dialog', { name: 'Criar sua conta?' });
    await stranger.press(button(question, 'Criar conta'));
    await page.waitForURL('**/signature');
    await page.context().close();
  });
}

async function leave(page: Page): Promise<void> {
  await page.goto(`${product.url}/logout`);
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto(`${product.url}/login`);
}
