import { expect, test } from '@playwright/test';
import { localSignerPorts } from '@lavra/api';
import { type Program, startProgram } from '../apps/local-signer/src/testing/program.ts';
import { softTokenModule, softTokens } from '../apps/local-signer/src/testing/soft-token.ts';
import { chooseTypeBy } from './digital.ts';
import { button, expectHeld, field, type Hand, handIn, kinds, newHand, opens, strokeOn } from './hands.ts';
import { expectNoFaults, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { putToken } from './token.ts';
import { type Call, linkFor, signedIn } from './world.ts';

/** Signing with what lies outside of the page: a token, a provider's window, a telephone. By keys alone and by a finger alone. */

const cpf = { carlos: '111.444.777-35', elias: '426.282.004-14', ana: '529.982.247-25' };

// A control that is not there says so soon.
test.use({ actionTimeout: 20_000 });

let product: Product;
/** Sends what the stories begin with: how that is done is told elsewhere. */
let call: Call;
test.beforeAll(async () => {
  product = await startProduct();
  call = await signedIn(product);
});
test.afterAll(() => product.stop());
test.afterEach(expectNoFaults);

for (const by of kinds) {
  test(`by ${by} alone, a token signs: how Lavra Signer is installed, a code that is another one, consent, choice and PIN`, async ({
    browser,
  }) => {
    const link = await linkFor(product, call, `Token ${by}`, ['Elias Araújo', `elias.${by}@exemplo.com.br`], 'DIGITAL_SIGNATURE');
    const elias = await newHand(browser, by);
    const { page } = elias;
    // The browser asks of its own, as it does where nothing was granted.
    await page.context().clearPermissions();
    // A true Lavra Signer of this machine stays out of it.
    for (const port of localSignerPorts.slice(0, 2)) await page.route(`http://127.0.0.1:${port}/**`, (route) => route.abort());
    await chooseTypeBy(elias, link, cpf.elias, /Token ou cartão/);
    await elias.press(button(page, 'Continuar'));
    await elias.press(button(page, 'Assinar com o Lavra Signer'));
    await expect(page.getByText('O Lavra Signer não está aberto neste computador.')).toBeVisible();
    await expectHeld(page);
    await elias.pick(page.getByRole('combobox', { name: 'Sistema' }), 'macOS');
    await expect(page.locator('.install-help li')).toHaveCount(3);

    using drawer = softTokens();
    const token = putToken(product, drawer, 'elias-a1-antigo');
    await using program = await startProgram(['--port', String(localSignerPorts[2]), '--module', softTokenModule], drawer.environment);
    await elias.press(button(page, 'Tentar de novo'));
    await page.getByRole('radio').first().waitFor();
    await (await windowOf(elias, program)).page.close();
    await elias.press(button(page, 'Nenhum destes'));
    await expect(page.getByText('O código não confere')).toBeVisible();
    await expectHeld(page);
    await elias.press(button(page, 'Tentar de novo'));
    const window = await windowOf(elias, program);
    await expectHeld(page);
    await elias.choose(page.getByRole('radio', { name: (await window.page.locator('.code').textContent()) ?? '' }));
    await elias.press(button(page, 'É este'));
    await expectHeld(page);
    await agree(window, token.pin);
    await expect(page.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
    await expectHeld(page);
    await page.context().close();
  });

  test(`by ${by} alone, one of several certificates in the cloud is chosen, a push is given up, a refusal told, and another one signs`, async ({
    browser,
  }) => {
    const link = await linkFor(
      product,
      call,
      `Nuvem ${by}`,
      ['Carlos Eduardo Nóbrega', `carlos.${by}@exemplo.com.br`],
      'DIGITAL_SIGNATURE',
    );
    const carlos = await newHand(browser, by);
    const { page } = carlos;
    await chooseTypeBy(carlos, link, cpf.carlos, /Na nuvem/);
    await carlos.press(button(page, 'Buscar certificado'));
    await carlos.choose(page.getByRole('radio', { name: /^VIDaaS/ }));
    await carlos.press(button(page, 'Assinar'));
    await expect(page.getByText('Confirme no aplicativo do celular')).toBeVisible();
    await expectHeld(page);
    await carlos.press(button(page, 'Cancelar'));
    await expect(page.getByRole('radio', { name: /Na nuvem/ })).toBeChecked();
    await expectHeld(page);

    const refused = await provider(carlos, /NeoID/);
    await refused.press(button(refused.page, 'Recusar'));
    await expect(page.getByText('A autorização foi recusada no provedor').last()).toBeVisible();
    await expectHeld(page);

    const agreed = await provider(carlos, /SafeID/);
    await agreed.press(button(agreed.page, 'Autorizar'));
    await expect(page.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
    await expectHeld(page);
    await page.context().close();
  });
}

test('by keys alone somebody asks for a code, and with a finger alone draws on the telephone; the drawing comes back, and signs', async ({
  browser,
}) => {
  const caio = await newHand(browser, 'keys');
  const { page } = caio;
  await toDrawing(caio, await linkFor(product, call, 'Desenho', ['Caio Reis', 'caio@exemplo.com.br']));
  const asking = page.waitForResponse((response) => response.url().endsWith('/drawings'));
  await caio.press(button(page, 'Desenhar no celular'));
  const { address } = (await (await asking).json()) as { address: string };
  await expect(page.getByRole('img', { name: /Código QR/ })).toBeVisible();
  await expectHeld(page);

  const telephone = await newHand(browser, 'finger');
  await telephone.page.goto(address);
  await telephone.press(button(telephone.page, 'Enviar o desenho'));
  await expect(telephone.page.getByText('Desenhe a sua assinatura no quadro.')).toBeVisible();
  await expectHeld(telephone.page);
  await strokeOn(telephone.page, telephone.page.locator('.pad'));
  await telephone.press(button(telephone.page, 'Desfazer'));
  await strokeOn(telephone.page, telephone.page.locator('.pad'));
  // The button stands where it will be pressed once the stroke is a picture, and nothing is asked for any more.
  await expect(telephone.page.getByText('Desenhe a sua assinatura no quadro.')).toBeHidden();
  await telephone.press(button(telephone.page, 'Enviar o desenho'));
  await expect(telephone.page.getByText('Desenho enviado.')).toBeVisible();
  await expectHeld(telephone.page);
  await telephone.page.context().close();

  await expect(page.getByRole('img', { name: 'Assinatura desenhada no celular' })).toBeVisible();
  await expectHeld(page);
  await caio.choose(page.getByRole('checkbox', { name: /Li os documentos/ }));
  await caio.press(button(page, 'Assinar'));
  await expect(page.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  await page.context().close();
});

/** The window that the program opens by itself on the signer's computer. */
async function windowOf({ page, by }: Hand, program: Program): Promise<Hand> {
  const window = await page.context().newPage();
  watchServer(window);
  await window.goto(await program.nextWindow());
  await page.bringToFront();
  return handIn(window, by);
}

async function agree(window: Hand, pin: string): Promise<void> {
  const { page } = window;
  await page.bringToFront();
  await window.press(button(page, 'Permitir e escolher o certificado'));
  await expect(page.getByText('ELIAS ARAUJO')).toBeVisible();
  await expectHeld(page);
  await window.press(button(page, 'Usar este certificado'));
  await window.write(field(page, 'PIN do token'), '0000');
  await window.press(button(page, 'Assinar 1 documento'));
  await expect(page.getByRole('alert')).toContainText('O PIN não está certo');
  await expectHeld(page);
  await window.write(field(page, 'PIN do token'), pin);
  await window.press(button(page, 'Assinar 1 documento'));
  await expect(page.getByRole('heading', { name: 'Assinado' })).toBeVisible();
  await expectHeld(page);
}

/** From the form to the provider's own window. */
async function provider(hand: Hand, name: RegExp): Promise<Hand> {
  const { page } = hand;
  await hand.press(button(page, 'Buscar certificado'));
  await hand.choose(page.getByRole('radio', { name }));
  const window = await opens(hand, hand.press(button(page, 'Assinar')));
  await window.page.waitForURL(/^http/);
  return window;
}

async function toDrawing(hand: Hand, address: string): Promise<void> {
  const { page } = hand;
  await page.goto(address);
  await hand.press(button(page, 'Assinar Documento'));
  await hand.write(field(page, 'CPF'), cpf.ana);
  await hand.press(button(page, 'Continuar'));
  await hand.press(page.getByRole('tab', { name: 'Desenhar' }));
}
