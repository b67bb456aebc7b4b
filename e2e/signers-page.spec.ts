import { type BrowserContextOptions, expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import {
  creator,
  draw,
  expectNoFaults,
  newPerson,
  openSignature,
  phone,
  place,
  pressSign,
  registerFirstAccount,
  watchServer,
} from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

const located: BrowserContextOptions = { geolocation: place, permissions: ['geolocation'] };
const [own, other] = ['52998224725', '11144477735'];

/** Public services that tell a browser its address, as an installation may name them; the first of them tells none. */
const lookups = ['https://portal.exemplo.test/ip', 'https://endereco.exemplo.test/json'];

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ LAVRA_IP_LOOKUP_URLS: lookups.join(',') });
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('the document comes first, with its tabs and the own place; a CPF that is not the invitation’s is told at once; a telephone draws; a fault is in sight; the end has a receipt', async ({
  page,
  browser,
}) => {
  await registerFirstAccount(product, page);
  await send();
  const bia = await newPerson(browser, { ...located, viewport: phone, hasTouch: true });
  const lookedUp: string[] = [];
  await bia.context().route('https://*.exemplo.test/**', (route) => {
    lookedUp.push(route.request().url());
    const body = lookedUp.length === 1 ? '<html>' : '{"ip":"2001:db8::7"}';
    return route.fulfill({ body, headers: { 'access-control-allow-origin': '*' } });
  });
  await openSignature(bia, await mailedLink(product, 'bia@exemplo.com.br', 'para você assinar'));

  await test.step('the documents stand in the first screen of a telephone, people in one line', async () => {
    expect((await bia.locator('.viewer').boundingBox())?.y).toBeLessThan(phone.height / 2);
    await expect(bia.getByText('0 de 2 assinaram')).toBeVisible();
    await expect(bia.locator('.signing-who').getByText('Caio Reis')).toBeHidden();
    await expect(bia.getByText('1 de 2 · falta ler 2')).toBeVisible();
    const toOwnPlace = bia.getByRole('button', { name: 'Ir para a minha assinatura' });
    await expect(toOwnPlace, 'offered before anything is scrolled').toBeInViewport({ ratio: 1 });
    await toOwnPlace.click();
    await expect(bia.getByRole('img', { name: 'Sua assinatura ficará aqui, na página 1' })).toBeInViewport();
    await bia.getByText('Pedido por Ana').click();
    await expect(bia.locator('.signing-who').getByText('Caio Reis')).toBeVisible();
    await expect(bia.getByText('caio@exemplo.com.br')).toHaveCount(0);
    await bia.getByText('Pedido por Ana').click();
  });
  await test.step('readable on a phone at once: two taps enlarge the text that was tapped, two more show the whole width', async () => {
    const region = bia.locator('.viewer-scroll');
    const page = bia.locator('.viewer-page').first();
    await expect(page.locator('canvas')).toBeVisible();
    await region.scrollIntoViewIfNeeded();
    const frame = await region.boundingBox();
    if (!frame) throw new Error('no viewer');
    // The telephone's whole width belongs to the page.
    expect((await page.boundingBox())?.width).toBeGreaterThan(phone.width - 8);
    const point = { x: frame.x + frame.width * 0.75, y: frame.y + 60 };
    const twice = async () => {
      await bia.touchscreen.tap(point.x, point.y);
      await bia.touchscreen.tap(point.x, point.y);
    };
    const hint = bia.getByText('Toque duas vezes na página para aumentar as letras.');
    await expect(hint).toBeVisible();
    // A busy machine's two taps may come too far apart to be two taps: then they are given again.
    await expect(async () => {
      await twice();
      await expect(bia.locator('.viewer-bar')).toContainText('94%', { timeout: 1000 });
    }).toPass();
    expect(await region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100);
    // Who has done it once needs no telling.
    await expect(hint).toHaveCount(0);
    await bia.screenshot({ path: 'test-results/shots/signer-two-taps.png' });
    await expect(async () => {
      await twice();
      await expect(bia.locator('.viewer-bar')).not.toContainText('94%', { timeout: 1000 });
    }).toPass();
    expect((await page.boundingBox())?.width).toBeLessThan(phone.width + 8);
    await expect(hint).toHaveCount(0);
  });

  await test.step('another CPF is told at the first step, beside its field', async () => {
    await bia.getByRole('button', { name: 'Assinar Documento' }).click();
    await bia.getByLabel('CPF', { exact: true }).fill(other);
    await bia.getByRole('button', { name: 'Continuar' }).click();
    await expect(bia.getByText('Este CPF é diferente do informado por Ana.')).toBeInViewport();
    await bia.getByLabel('CPF', { exact: true }).fill(own);
    await bia.getByRole('button', { name: 'Continuar' }).click();
  });

  await test.step('what was drawn is kept on the way back, and what is missing is said in sight of the button', async () => {
    await bia.getByRole('tab', { name: 'Desenhar' }).click();
    await expect(bia.getByRole('button', { name: 'Desenhar no celular' })).toBeHidden();
    // What it will be is shown of what was made, and of nothing else; with the CPF that was typed.
    const preview = bia.locator('.in-place .stamp');
    await expect(preview).toContainText('CPF: ***.982.247-');
    await expect(preview.locator('text')).toHaveText('');
    await draw(bia);
    await expect(preview.locator('img')).toHaveCount(1);
    await bia.getByRole('button', { name: 'Voltar' }).click();
    await bia.getByRole('button', { name: 'Continuar' }).click();
    await expect(bia.getByRole('button', { name: 'Limpar' })).toBeEnabled();
    await pressSign(bia);
    await expect(bia.getByRole('alert')).toBeInViewport();
    await bia.getByRole('checkbox', { name: /Li os documentos/ }).check();
    await bia.route('**/initEletronicSignature', (route) => route.abort());
    await pressSign(bia);
    await expect(bia.locator('.act-foot [role=alert]:visible')).toBeInViewport();
    await bia.unroute('**/initEletronicSignature');
    await expect.poll(() => lookedUp).toEqual(lookups);
    // The facts of before the act are on their way to be read anew: a receipt of them would say that nobody has signed.
    const held = Promise.withResolvers<void>();
    await bia.route('**/requisitionInformation/**', async (route) => {
      await held.promise;
      await route.continue();
    });
    const act = bia.waitForRequest('**/initEletronicSignature');
    await pressSign(bia);
    const { signatureEvidence } = (await act).postDataJSON() as { signatureEvidence: { ip: string | null } };
    expect(signatureEvidence.ip).toBe('2001:db8::7');
    await expect(bia.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
    await expect(bia.getByText('0 de 2 assinaram')).toHaveCount(0);
    held.resolve();
    // Who signed without an account may want one.
    await expect(bia.getByRole('link', { name: 'Criar conta' })).toHaveAttribute('href', '/account/register');
    await expect(bia.getByText('1 de 2 assinaram')).toBeVisible();
    await expect(bia.getByText('Caio Reis')).toBeVisible();
    await bia.reload();
    await expect(bia.locator('.document-count'), 'nothing is left to be read by whoever has signed').toHaveText('1 de 2');
    await bia.context().close();
  });

  await test.step('who sits at a computer draws on the telephone', async () => {
    const caio = await newPerson(browser, located);
    await openSignature(caio, await mailedLink(product, 'caio@exemplo.com.br', 'para você assinar'));
    await caio.getByRole('button', { name: 'Assinar Documento' }).click();
    await caio.getByLabel('CPF', { exact: true }).fill(other);
    await caio.getByRole('button', { name: 'Continuar' }).click();
    await caio.getByRole('tab', { name: 'Desenhar' }).click();
    const [asked] = await Promise.all([
      caio.waitForResponse((response) => response.url().endsWith('/drawings')),
      caio.getByRole('button', { name: 'Desenhar no celular' }).click(),
    ]);
    await expect(caio.getByRole('img', { name: /Código QR/ })).toBeVisible();
    // However long the step: what goes on stays in sight on a computer too.
    await expect(caio.getByRole('button', { name: 'Assinar', exact: true })).toBeInViewport({ ratio: 1 });
    const { address } = (await asked.json()) as { address: string };
    const telephone = await newPerson(browser, { viewport: phone, hasTouch: true });
    await telephone.goto(address);
    await telephone.getByRole('button', { name: 'Enviar o desenho' }).click();
    await expect(telephone.getByText('Desenhe a sua assinatura no quadro.')).toBeVisible();
    await draw(telephone);
    await expectAccessible(telephone, 'draw');
    await telephone.getByRole('button', { name: 'Enviar o desenho' }).click();
    await expect(telephone.getByText('Desenho enviado.')).toBeVisible();
    await expect(caio.getByRole('img', { name: 'Assinatura desenhada no celular' })).toBeVisible();
    await caio.getByRole('checkbox', { name: /Li os documentos/ }).check();
    await pressSign(caio);
    await expect(caio.getByText('Todas as pessoas já assinaram').first()).toBeVisible({ timeout: 60_000 });
    await telephone.reload();
    await expect(telephone.getByText('Este código já foi usado ou venceu.')).toBeVisible();
    await telephone.context().close();
    await caio.context().close();
  });
});

/** Two documents for two people, one after the other; the first has a CPF and a place in each. */
async function send(): Promise<void> {
  const call = async <T>(path: string, body: object, token?: string): Promise<T> => {
    const answer = await fetch(`${product.url}/api/${path}`, {
      method: 'POST',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (answer.status === 204 ? null : await answer.json()) as T;
  };
  const { id_token: token } = await call<{ id_token: string }>('authenticate', {
    username: creator.email,
    password: creator.password,
    rememberMe: false,
  });
  const form = new FormData();
  for (const name of ['contrato.pdf', 'anexo.pdf'])
    form.append('files', new Blob([new Uint8Array(await makeContract(name, 2))], { type: 'application/pdf' }), name);
  const files = await call<{ id: string; name: string }[]>('documents', form, token);
  const made = { title: 'Locação', type: 'ELETRONIC_SIGNATURE', files: files.map(({ id }) => ({ id })) };
  const signatureProcess = await call<{ id: string }>('signature-processes', made, token);
  const people = [
    { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, legalIdentifier: own },
    { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 1, legalIdentifier: null },
  ];
  for (const person of people) {
    const visibleSignature =
      person.order === 0
        ? files.map(({ id }) => ({ documentId: id, page: 1, x: 300, y: 120, width: 150, height: 75, realSignature: true }))
        : [];
    const signer = { ...person, signatureProcess: { id: signatureProcess.id } };
    await call('signers', { signer, signatureVisibleActive: visibleSignature.length > 0, visibleSignature }, token);
  }
  await call(`signature-processes/${signatureProcess.id}/start`, {}, token);
}
