import { expect, type Page, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { makeContract } from './documents.ts';
import { bring, button, field, type Hand, kinds, link, newHand } from './hands.ts';
import { creator, expectNoFaults } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';
import { largeSignedPdf } from './signed-file.ts';
import { tell } from './transcript.ts';

/** The stories of who sends, signs, verifies and administers, each by keys alone and by a finger alone: nothing here has a mouse. */

const nova = { name: 'Nova', email: 'nova@exemplo.com.br' };
const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

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

    test('an account is made, guarded by a second factor, left and entered again', async () => {
      await ana.page.goto(`${product.url}/account/register`);
      await register(ana);
      const app = await guard(ana);
      await choose(ana, 'Sair');
      await expect(ana.page).toHaveURL((url) => url.pathname === '/');
      await enter(ana, app);
    });

    test('a process is prepared with places on a page, sent, followed, corrected and ended', async ({ browser }) => {
      await prepare(ana);
      await placeAndSend(ana);
      await ana.press(link(ana.page, 'Acompanhar'));
      await correct(ana);
      const bia = await newHand(browser, by);
      await sign(bia, await mailedLink(product, 'bia.lima@exemplo.com.br', 'para você assinar'));
      await bia.page.context().close();
      await ana.page.reload();
      await expect(ana.page.getByText('1 de 2 assinaram').first()).toBeVisible();
      await tellOnce(ana, 'process');
      await end(ana);
    });

    test('a file is verified, and its facts are unfolded', async ({ browser }) => {
      const visitor = await newHand(browser, by);
      await visitor.page.goto(`${product.url}/validateLogin`);
      // Keys stand on the field, a finger meets the words that it is drawn as.
      const words = 'Escolher arquivo PDF';
      const choosing = by === 'keys' ? visitor.page.getByLabel(words) : visitor.page.locator('label', { hasText: words });
      await bring(visitor, choosing, pdf('contrato.pdf', await largeSignedPdf(1 << 16)));
      const verdict = visitor.page.getByRole('region', { name: 'Resultado: contrato.pdf' });
      await expect(verdict).toContainText('O documento não mudou depois de assinado');
      const folded = visitor.page.locator('main summary').first();
      await visitor.press(folded);
      await expect(folded.locator('..')).toHaveAttribute('open', '');
      await visitor.page.context().close();
    });

    test('a company is made and people are invited to it', async () => {
      await choose(ana, 'Configurações');
      await ana.press(link(ana.page, 'Criar empresa'));
      // The settings have a field of that name too.
      await expect(ana.page.getByRole('heading', { name: 'Criar empresa' })).toBeVisible();
      await ana.write(field(ana.page, 'Nome'), 'Padaria São Bento');
      await ana.write(field(ana.page, 'CNPJ'), '12ABC34501DE35');
      await ana.press(button(ana.page, 'Criar empresa'));
      await expect(ana.page.getByRole('heading', { name: 'Padaria São Bento' })).toBeVisible();
      await ana.write(field(ana.page, 'E-mails'), 'dora@padaria.com.br');
      await ana.press(button(ana.page, 'Enviar convites'));
      await expect(ana.page.getByText('Convites enviados com sucesso').first()).toBeVisible();
      await ana.press(button(ana.page, 'Mais opções: Ana'));
      await expect(ana.page.getByRole('menuitem', { name: 'Sair da empresa' })).toBeVisible();
      await ana.page.keyboard.press('Escape');
    });

    test('an account is made for somebody, shut and given back; a contract is made, stopped and deleted', async () => {
      await go(ana, 'Administração');
      // On a telephone the rooms are the page itself.
      await ana.press(link(ana.page, 'Contas').first());
      await ana.press(link(ana.page, 'Nova conta'));
      await ana.write(field(ana.page, 'E-mail'), nova.email);
      await ana.write(field(ana.page, 'Nome'), nova.name);
      await ana.press(button(ana.page, 'Salvar'));
      await ana.press(link(ana.page, nova.email));
      await ana.press(button(ana.page, 'Desativar'));
      await ana.press(button(ana.page.getByRole('dialog'), 'Desativar'));
      await ana.press(button(ana.page, 'Reativar'));
      await ana.press(button(ana.page.getByRole('dialog'), 'Reativar'));
      await expect(ana.page.getByText('Conta reativada.').first()).toBeVisible();

      await go(ana, 'Contratos');
      await ana.press(link(ana.page, 'Criar novo contrato'));
      await ana.pick(field(ana.page, 'Forma de pagamento'), 'Anual');
      await ana.write(field(ana.page, 'Data'), '31/12/2099');
      await ana.press(button(ana.page, 'Salvar'));
      await ana.press(link(ana.page, '1'));
      await ana.choose(ana.page.getByLabel('Suspenso'));
      await ana.press(button(ana.page, 'Salvar'));
      await expect(ana.page.getByText('suspenso', { exact: true })).toBeVisible();
      await ana.press(link(ana.page, 'Excluir 1'));
      await ana.press(button(ana.page, 'Excluir'));
      await expect(ana.page.getByText('Nenhum contrato encontrado.')).toBeVisible();
    });
  });

/** An entry of the header: on a telephone it is folded. */
async function unfold(hand: Hand): Promise<void> {
  const burger = button(hand.page, 'Menu');
  if ((await burger.isVisible()) && (await burger.getAttribute('aria-expanded')) === 'false') await hand.press(burger);
}

async function go(hand: Hand, name: string): Promise<void> {
  await unfold(hand);
  await hand.press(link(hand.page.getByRole('navigation', { name: 'Menu' }), name));
}

/** An entry of the account's own menu. */
async function choose(hand: Hand, name: string): Promise<void> {
  await unfold(hand);
  await hand.press(hand.page.getByRole('button', { name: creator.email }));
  await hand.press(hand.page.getByRole('menuitem', { name, exact: true }));
}

/** The list is shown: its address stands there before it, and an unfolded menu closes with the page that it was unfolded on. */
async function isHome(page: Page): Promise<void> {
  await page.waitForURL('**/signature');
  await expect(page.getByRole('heading', { level: 1, name: 'Suas assinaturas' })).toBeVisible();
}

async function register(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.write(field(page, 'Nome'), creator.name);
  await hand.write(field(page, 'E-mail'), creator.email);
  await hand.write(field(page, 'Nova senha'), creator.password);
  await hand.write(field(page, 'Repita a senha'), creator.password);
  await hand.press(button(page, 'Criar conta'));
  await isHome(page);
}

async function guard(hand: Hand): Promise<TOTP> {
  const { page } = hand;
  await choose(hand, 'Verificação em duas etapas');
  await hand.press(button(page, 'Configurar aplicativo autenticador'));
  await hand.write(field(page, 'Senha'), creator.password);
  await hand.press(button(page, 'Continuar'));
  await hand.press(page.locator('summary', { hasText: 'Não consigo ler o desenho' }));
  const app = new TOTP({ secret: (await page.locator('.totp-secret').innerText()).replaceAll(/\s/g, '') });
  await hand.write(field(page, 'Código do aplicativo'), app.generate());
  await hand.press(button(page, 'Confirmar'));
  await hand.choose(page.getByRole('checkbox', { name: 'Guardei os códigos' }));
  await hand.press(button(page, 'Continuar'));
  await expect(page.getByText('Códigos que ainda valem: 10')).toBeVisible();
  return app;
}

async function enter(hand: Hand, app: TOTP): Promise<void> {
  const { page } = hand;
  await page.goto(new URL('/login', page.url()).href);
  await hand.write(field(page, 'E-mail'), creator.email);
  await hand.write(field(page, 'Senha'), creator.password);
  await hand.press(button(page, 'Entrar'));
  // The app's next code: the one that set it up is used.
  await hand.write(field(page, 'Código do aplicativo'), app.generate({ timestamp: Date.now() + 30_000 }));
  await hand.press(button(page, 'Confirmar e entrar'));
  await isHome(page);
}

async function prepare(hand: Hand): Promise<void> {
  const { page } = hand;
  await bring(hand, button(page, 'Importar'), pdf('aluguel.pdf', await makeContract('Aluguel', 2)));
  await page.waitForURL('**/prepare');
  for (const [name, email] of [
    ['Bia', 'bia@exemplo.com.br'],
    ['Caio', 'caio@exemplo.com.br'],
  ] as const) {
    await hand.write(field(page, 'Nome'), name);
    await hand.write(field(page, 'E-mail'), email);
    await hand.press(button(page, 'Adicionar signatário'));
    await expect(page.getByRole('cell', { name: email })).toBeVisible();
  }
  await tellOnce(hand, 'people');
  await hand.press(button(page, 'Próximo'));
  await page.waitForURL('**/confirm');
}

/** What who sends is told, as they hear it who use keys: a telephone's screens say the same in cards. */
async function tellOnce({ page, by }: Hand, name: string): Promise<void> {
  if (by === 'keys') await tell(page.getByRole('main'), name);
}

async function placeAndSend(hand: Hand): Promise<void> {
  const { page, by } = hand;
  await hand.choose(page.getByRole('radio', { name: /Assinatura eletrônica/ }));
  await hand.choose(page.getByRole('checkbox', { name: 'Assinatura visível no documento', disabled: false }).last());
  for (const [index, name] of ['Bia', 'Caio'].entries()) {
    await hand.press(button(page, `Iniciar (${name})`));
    const box = page.locator('.box-placing');
    await expect(box).toBeFocused();
    if (by === 'keys') {
      for (let step = 0; step < 12 * index; step += 1) await page.keyboard.press('Shift+ArrowUp');
      await page.keyboard.press('Enter');
    } else {
      // Where the page is free: below the one that lies there.
      await page.locator('.viewer-page').first().scrollIntoViewIfNeeded();
      const frame = await page.locator('.viewer-page').first().boundingBox();
      if (!frame) throw new Error('no page');
      await page.touchscreen.tap(frame.x + frame.width / 2, frame.y + frame.height * (0.3 + 0.25 * index));
      await hand.press(button(page, `Fixar (${name})`));
    }
    await expect(box).toHaveCount(0);
  }
  await tellOnce(hand, 'places');
  await hand.press(button(page, 'Enviar para 2 pessoas'));
  await page.waitForURL('**/signature', { timeout: 60_000 });
  // Whose turn it is the list knows as soon as the documents are prepared.
  const row = page.getByRole('row', { name: /aluguel Falta Bia/ });
  await expect(async () => {
    if (!(await row.isVisible())) await page.reload();
    await expect(row).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await tellOnce(hand, 'list');
}

async function correct(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.press(button(page, 'Corrigir dados').first());
  const dialog = page.getByRole('dialog');
  await hand.write(dialog.getByLabel('Nome', { exact: true }), 'Bia Lima');
  await hand.write(dialog.getByLabel('E-mail', { exact: true }), 'bia.lima@exemplo.com.br');
  await hand.press(button(dialog, 'Corrigir e reenviar convite'));
  await expect(page.getByText('Dados de Bia Lima corrigidos').first()).toBeVisible();
  await expect(dialog).toHaveCount(0);
}

async function sign(hand: Hand, address: string): Promise<void> {
  const { page } = hand;
  await page.goto(address);
  await hand.press(button(page, 'Assinar Documento'));
  await hand.write(field(page, 'CPF'), '52998224725');
  await hand.press(button(page, 'Continuar'));
  await hand.press(page.getByRole('button', { name: /^Estilo 2/ }));
  await hand.choose(page.getByRole('checkbox', { name: /Li os documentos/ }));
  await hand.press(button(page, 'Assinar'));
  await expect(page.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
}

async function end(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.press(button(page, 'Cancelar processo'));
  await hand.press(button(page.getByRole('dialog'), 'Cancelar processo'));
  await expect(page.getByText(/Ana cancelou este processo em/)).toBeVisible();
}
