import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { localSignerPorts } from '@lavra/api';
import { memorySource, openPdf, verifyPdf } from '@lavra/pades';
import { startProgram } from '../apps/local-signer/src/testing/program.ts';
import { softTokenModule, softTokens } from '../apps/local-signer/src/testing/soft-token.ts';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { expectNoFaults, newPerson, openSignature, registerFirstAccount, signIn, submitCreation, watchServer } from './people.ts';
import { mailed, mailedLink, type Product, startProduct } from './product.ts';
import { der, icpBrasilOf, putToken } from './token.ts';

/** People of the page "Pessoas de faz de conta"; the third one's CPF is not registered. */
const ana = { name: 'Ana Beatriz Conceição', email: 'ana.conceicao@exemplo.com.br', cpf: '529.982.247-25', registered: true };
const dora = { name: 'Dora Lima', email: 'dora.lima@exemplo.com.br', cpf: '315.171.913-94', registered: true };
const elias = { name: 'Elias Araújo', email: 'elias@exemplo.com.br', cpf: '426.282.004-14', registered: false };
type Person = typeof ana;
const AD_RC_1_4 = '2.16.76.1.7.1.13.1.4';

// A control that is not there says so soon.
test.use({ actionTimeout: 20_000 });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('three people sign with their ICP-Brasil certificates: in the cloud, in a file, in a token', async ({ page, browser }) => {
  const contract = await makeContract('Contrato social', 2);
  await test.step('the creator asks for certificates, with the CPF of two of them', async () => {
    await registerFirstAccount(product, page);
    await signIn(product, page);
    await createDigitalProcess(page, contract);
  });
  await test.step('the first signs with a cloud certificate, in the provider’s window', async () => {
    const signer = await opened(await newPerson(browser), ana);
    await signInCloud(signer);
    await finished(signer, 'cloud');
  });
  await test.step('the second signs with a certificate file, after a wrong password', async () => {
    const signer = await opened(await newPerson(browser), dora);
    await chooseKind(signer, dora, /Arquivo A1/);
    await signWithFile(signer, 'dora-a1.p12');
    await finished(signer, 'file');
  });
  await test.step('the third signs with a token, through Lavra Signer and its window', async () => {
    const signer = await opened(await newPerson(browser), elias);
    await chooseKind(signer, elias, /Token ou cartão/);
    await signWithToken(signer);
    await finished(signer, 'token');
  });
  await test.step('the file has three AD-RC 1.4 signatures, each in a revision of its own, and their archive', async () => {
    const link = await mailedLink(product, ana.email, 'Assinado por todos');
    await judgeFile(await downloaded(page, link), contract);
  });
  await test.step('the public verification names each certificate', async () => {
    await verifyInPublic(page);
  });
});

async function createDigitalProcess(page: Page, contract: Buffer): Promise<void> {
  await page.setInputFiles('input[type=file]', { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: contract });
  await page.waitForURL('**/prepare');
  for (const { name, email, cpf, registered } of [ana, dora, elias]) {
    await page.getByLabel('Nome', { exact: true }).first().fill(name);
    await page.getByLabel('E-mail', { exact: true }).first().fill(email);
    if (registered) await page.getByLabel('CPF (opcional)').fill(cpf);
    await page.getByRole('button', { name: 'Adicionar signatário' }).click();
    await expect(page.getByRole('cell', { name: email })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura digital/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento' }).first().check();
  for (const [index, { name }] of [ana, dora, elias].entries()) {
    await page.getByRole('button', { name: new RegExp(`^Iniciar.*${name}`) }).click();
    const box = page.locator('.box-placing');
    await box.focus();
    for (let step = 0; step < 20 + index * 8; step += 1) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.locator('.box-placing')).toHaveCount(0);
  }
  await expect(page.getByText('3/3')).toBeVisible();
  await expectAccessible(page, 'digital-confirm');
  await submitCreation(page);
}

async function opened(page: Page, { email }: Person): Promise<Page> {
  await openSignature(page, await mailedLink(product, email, 'para você assinar'));
  return page;
}

/** The first two steps: how it looks, and where the certificate is. */
async function chooseKind(page: Page, { cpf }: Person, kind: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await page.getByRole('button', { name: /^Estilo 1/ }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByLabel('CPF', { exact: true }).fill(cpf);
  await page.getByRole('radio', { name: kind }).check();
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
}

async function signInCloud(page: Page): Promise<void> {
  await chooseKind(page, ana, /Na nuvem/);
  const [provider] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Buscar certificado' }).click()]);
  await expect(page.getByRole('timer')).toBeVisible();
  await provider.waitForURL('**/birdid/v0/oauth/authorize**');
  await expect(provider.getByRole('heading', { name: /BIRDID/ })).toBeVisible();
  await provider.getByRole('button', { name: 'Autorizar' }).click();
  await provider.waitForURL('**/callback/psc');
  await expect(provider.getByText('Autorização recebida.')).toBeVisible();
  // It closes itself: section 9.
  if (!provider.isClosed()) await provider.waitForEvent('close', { timeout: 15_000 });
}

async function signWithFile(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByLabel('Escolha o arquivo do certificado').setInputFiles(join(product.dataDir, 'development/certificados', name));
  await page.getByLabel('Senha do certificado').fill('errada');
  await page.getByRole('button', { name: 'Assinar', exact: true }).click();
  await expect(page.getByText('A senha não abre este arquivo.')).toBeVisible();
  await page.getByLabel('Senha do certificado').fill('faz-de-conta');
  await page.getByRole('button', { name: 'Assinar', exact: true }).click();
}

/** The program as it runs on the signer's computer, a token in it; its window is opened where it says. */
async function signWithToken(page: Page): Promise<void> {
  using drawer = softTokens();
  const token = putToken(product, drawer, 'elias-a1-antigo');
  await using program = await startProgram(['--port', String(localSignerPorts[0]), '--module', softTokenModule], drawer.environment);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Assinar com o Lavra Signer' }).click();
  const screen = await page.context().newPage();
  watchServer(screen);
  await screen.goto(await program.nextWindow());
  await expect(screen.getByRole('heading', { name: 'Confira o código' })).toBeFocused();
  await expectAccessible(screen, 'signer-code');
  await page.getByText((await screen.locator('.code').textContent()) ?? '').click();
  await page.getByRole('button', { name: 'É este' }).click();
  await expect(screen.getByText(product.url)).toBeVisible();
  await expect(screen.getByRole('heading', { name: 'Permitir que este site peça assinaturas?' })).toBeVisible();
  await expectAccessible(screen, 'signer-consent');
  await screen.getByRole('button', { name: 'Permitir e escolher o certificado' }).click();
  await expect(screen.getByText('ELIAS ARAUJO')).toBeVisible();
  // The window goes by the system's theme, not by our pages' switch.
  await screen.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(screen, 'signer-choice');
  await screen.getByRole('button', { name: 'Usar este certificado' }).click();
  await screen.getByLabel('PIN do token').fill(token.pin);
  await expectAccessible(screen, 'signer-pin');
  await screen.getByRole('button', { name: 'Assinar 1 documento' }).click();
  await expect(screen.getByRole('heading', { name: 'Assinado' })).toBeVisible();
  // The page gives the value to the server while the program may still be asked for it.
  await expect(page.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
}

async function finished(page: Page, name: string): Promise<void> {
  await expect(page.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
  await page.screenshot({ path: `test-results/shots/digital-done-${name}.png`, fullPage: true });
  await page.context().close();
}

async function downloaded(page: Page, link: string): Promise<Buffer> {
  await page.goto(link);
  await page.getByRole('checkbox', { name: /contrato-assinado/ }).check();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Baixar selecionados' }).click()]);
  return readFileSync(await saved.path());
}

/** By poppler and by our own verifier with the make-believe roots; the bytes are compared, not asked about. */
async function judgeFile(signed: Buffer, original: Buffer): Promise<void> {
  expect(signed.subarray(0, original.length).equals(original)).toBe(true);
  const path = join(mkdtempSync(join(tmpdir(), 'lavra-three-')), 'signed.pdf');
  writeFileSync(path, signed);
  const report = execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(report.match(/Signature Validation: Signature is Valid/g)?.length).toBe(3);
  expect([...report.matchAll(/Signer Certificate Common Name: (\S.*)/g)].map(([, name]) => name)).toEqual([
    'ANA BEATRIZ CONCEICAO:52998224725',
    'DORA LIMA:31517191394',
    'ELIAS ARAUJO:42628200414',
    // The document timestamp's, which pdfsig names and does not judge.
    'ACT Lavra',
  ]);
  expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax or stream encoding errors found');
  const roots = icpBrasilOf(product).authorities.filter(({ parent }) => parent === null);
  const uses = ['signature', 'timestamp'] as const;
  const { signatures } = await verifyPdf(await openPdf(memorySource(signed)), {
    trust: { anchors: roots.map(({ certificate }) => ({ certificate: der(certificate), name: 'faz de conta', uses })), intermediates: [] },
    at: new Date(),
  });
  expect(signatures.map(({ policy }) => policy && [policy.oid, policy.hash])).toEqual(Array(3).fill([AD_RC_1_4, 'matches']));
  // By what the file alone carries.
  expect(signatures.map(({ indication, level }) => [indication, level])).toEqual(Array(3).fill(['TOTAL-PASSED', 'B-LTA']));
  const ends = [...signed.toString('latin1').matchAll(/\/ByteRange\s*\[\s*0 \d+ (\d+) (\d+)\s*\]/g)].map(
    ([, c, d]) => Number(c) + Number(d),
  );
  // Each signature covers its own revision to its end, and the document timestamp the whole file.
  expect(ends.length).toBe(4);
  expect(new Set(ends).size).toBe(4);
  for (const end of ends) expect(signed.subarray(0, end).toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true);
  expect(Math.max(...ends)).toBe(signed.length);
}

async function verifyInPublic(page: Page): Promise<void> {
  await page.goto(`${product.url}/validateLogin`);
  await mailed(product, ana.email, 'Assinado por todos');
  await page.getByLabel('Identificador do documento').fill(await documentId(page));
  await page.getByLabel('E-mail de um signatário').fill(ana.email);
  await page.getByRole('button', { name: 'Conferir' }).click();
  await page.waitForURL('**/validate');
  await expect(page.getByText('Válida', { exact: true })).toHaveCount(4);
  for (const [masked, name] of [
    ['***.982.247-**', 'Ana Beatriz'],
    ['***.171.913-**', 'Dora Lima'],
    ['***.282.004-**', 'Elias'],
  ] as const)
    await expect(
      page
        .getByRole('listitem')
        .filter({ hasText: new RegExp(name, 'i') })
        .getByText(masked),
    ).toBeVisible();
  await expect(page.getByText(/AC Lavra nivel 2 v5/)).toHaveCount(2);
  await expect(page.getByText(/AC Lavra nivel 2 v12/)).toHaveCount(1);
  await expectAccessible(page, 'digital-validate');
}

/** As it stands on the signature page. */
async function documentId(page: Page): Promise<string> {
  const token = await page.evaluate(() => sessionStorage.getItem('jhi-authenticationToken') ?? '');
  const headers = { Authorization: `Bearer ${token}` };
  const get = async (path: string) => (await fetch(`${product.url}${path}`, { headers })).json();
  const { signatureProcesses } = (await get('/api/buildProcessesInfos')) as { signatureProcesses: { id: string }[] };
  const { documents } = (await get(`/api/buildSubDataProcesses/${signatureProcesses[0]?.id}`)) as { documents: { id: string }[] };
  return documents[0]?.id ?? '';
}
