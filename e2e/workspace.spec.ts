import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import {
  addSigner,
  createPlainProcess,
  expectNoFaults,
  phone,
  registerFirstAccount,
  signIn,
  submitCreation,
  watchServer,
} from './people.ts';
import { type Product, startProduct } from './product.ts';

/** Preparing and confirming as one workspace: what is in the files, who signs when, and where. */
let product: Product;

test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await browser.newPage();
  await registerFirstAccount(product, page);
  await page.close();
});
test.afterAll(() => product.stop());
test.beforeEach(async ({ page }) => {
  watchServer(page);
  await signIn(product, page);
});
test.afterEach(expectNoFaults);

const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

async function choose(page: Page): Promise<void> {
  await page.setInputFiles('input[type=file]', [
    pdf('contrato.pdf', await makeContract('Contrato', 3)),
    pdf('anexo.pdf', await makeContract('Anexo', 2)),
  ]);
  await page.waitForURL('**/prepare');
  await expect(page.getByText(/^PDF · 3 páginas · /)).toBeVisible();
  await expect(page.getByText(/^PDF · 2 páginas · /)).toBeVisible();
}

test('places are put once and repeated in the other documents and on every page, taken back with a way back, and sent to so many people', async ({
  page,
}) => {
  await choose(page);
  await addSigner(page, 'Ana Lima', 'ana.lima@exemplo.com.br');
  await addSigner(page, 'Bento Sá', 'bento@exemplo.com.br');
  await expectAccessible(page, 'workspace-prepare');
  await page.screenshot({ path: 'test-results/shots/workspace-prepare.png', fullPage: true });
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento', disabled: false }).check();
  await page.getByRole('button', { name: 'Iniciar (Ana Lima)' }).click();
  const box = page.locator('.box-placing');
  await expect(box).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Repetir nos outros documentos (Ana Lima)' }).click();
  await expect(page.getByText('2/4')).toBeVisible();
  await page.getByRole('checkbox', { name: /Em todas as 3 páginas/ }).check();
  await expect(page.locator('.box-copy').first()).toBeVisible();

  // A way back from what one press took off.
  await page.getByRole('button', { name: 'Refazer (Ana Lima)' }).click();
  await expect(page.getByText('0/4')).toBeVisible();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 860 });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    expect(await buttonsUnderToasts(page), `${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('button', { name: 'Desfazer' }).last().click();
  await expect(page.getByText('2/4')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /Em todas as 3 páginas/ })).toBeChecked();
  // While no box lies on another: where people put one on another, the lower one has no room of its own left to press.
  await expectAccessible(page, 'workspace-confirm');

  // Dragged from the list on to the page, on Ana's box: said at once; sending fixes what lies on a page.
  await page
    .locator('.signer-slot', { hasText: 'Bento Sá' })
    .dragTo(page.locator('.box-ready').first(), { targetPosition: { x: 40, y: 20 } });
  await expect(page.getByText('Esta assinatura cobre outra.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Fixar (Bento Sá)' }).click();
  await page.getByRole('button', { name: 'Repetir nos outros documentos (Bento Sá)' }).click();
  await expect(page.getByText('4/4')).toBeVisible();
  await page.screenshot({ path: 'test-results/shots/workspace-confirm.png' });
  await page.setViewportSize(phone);
  await page.screenshot({ path: 'test-results/shots/workspace-confirm-phone.png', fullPage: true });
  await expect(page.getByRole('button', { name: 'Enviar para 2 pessoas' })).toBeVisible();
  await submitCreation(page);
});

test('what had a place on every page is begun again as it was, and can be sent', async ({ page }) => {
  await page.setInputFiles('input[type=file]', [
    pdf('rubricado.pdf', await makeContract('Contrato', 10)),
    pdf('anexo.pdf', await makeContract('Anexo', 1)),
  ]);
  await page.waitForURL('**/prepare');
  await expect(page.getByText(/^PDF · 10 páginas · /)).toBeVisible();
  await addSigner(page, 'Ana Lima', 'ana.lima@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento', disabled: false }).check();
  await page.getByRole('button', { name: 'Iniciar (Ana Lima)' }).click();
  await expect(page.locator('.box-placing')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: /Em todas as 10 páginas/ }).check();
  await page.getByRole('button', { name: 'Repetir nos outros documentos (Ana Lima)' }).click();
  await expect(page.getByText('2/2')).toBeVisible();
  await submitCreation(page);

  await page.getByRole('link', { name: 'rubricado', exact: true }).click();
  await page.getByRole('button', { name: 'Cancelar processo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click();
  await page.waitForURL('**/prepare');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await expect(page.getByText('2/2')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /Em todas as 10 páginas/ })).toBeChecked();
  await submitCreation(page);
});

test('people come from a pasted list, from oneself and from who was called before; are corrected in place, and called at the same time', async ({
  page,
}) => {
  await choose(page);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await page.getByRole('button', { name: 'Eu também assino' }).click();
  await page.getByRole('button', { name: 'Adicionar Bento Sá, bento@exemplo.com.br' }).click();
  await page.getByRole('button', { name: 'Colar uma lista' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Uma pessoa por linha').fill('Davi Reis; davi@exemplo.com.br\nElis; elis@\n');
  await expect(dialog.getByText('Linha 2:')).toBeVisible();
  await expectAccessible(page, 'workspace-paste');
  await dialog.getByRole('button', { name: 'Adicionar 1 pessoa' }).click();
  await expect(dialog.getByLabel('Uma pessoa por linha')).toHaveValue('Elis; elis@');
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await expect(rows).toHaveCount(3);

  await page.getByRole('button', { name: 'Corrigir Davi Reis' }).click();
  await rows.getByLabel('E-mail').fill('bento@exemplo.com.br');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Este e-mail está em mais de uma pessoa: cada convite chega nele.')).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'ao mesmo tempo que Bento' }).check();
  await expect(rows.nth(2).getByRole('cell').first()).toHaveText('2');

  await page.getByLabel('Nome', { exact: true }).first().fill('Maria Aparecida Conceição Guimarães Magalhães de Sousa');
  await expect(page.getByText(/O nome passa do limite de 50 letras/)).toBeVisible();
  await expectAccessible(page, 'workspace-people');
});

/** The buttons that go on, of which a toast covers a part. */
function buttonsUnderToasts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toasts = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect());
    if (toasts.length === 0) throw new Error('no toast is shown');
    return [...document.querySelectorAll('.bottom-bar button')]
      .filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return toasts.some((toast) => toast.left < right && toast.right > left && toast.top < bottom && toast.bottom > top);
      })
      .map((button) => button.textContent ?? '');
  });
}

test('several who are waited for are told of as several', async ({ page }) => {
  await choose(page);
  await addSigner(page, 'Hugo Dias', 'hugo@exemplo.com.br');
  await addSigner(page, 'Iara Melo', 'iara@exemplo.com.br');
  await page.getByRole('checkbox', { name: 'ao mesmo tempo que Hugo' }).check();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);
  await page.goto(`${product.url}/signature`);
  const told = page.getByText('Faltam Hugo Dias e Iara Melo');
  await expect(told).toBeVisible();
  await page.getByRole('row').filter({ has: told }).getByRole('link').click();
  await expect(told).toBeVisible();
});

test('a process is found by whoever is to sign it, and what was begun and not sent is offered again', async ({ page }) => {
  await createPlainProcess(product, page, 'Procuração', [['Conceição Araújo', 'conceicao@exemplo.com.br']]);
  await createPlainProcess(product, page, 'Distrato', [['Bento Sá', 'bento@exemplo.com.br']]);
  await choose(page);
  await addSigner(page, 'Dora Reis', 'dora@exemplo.com.br');
  await page.goto(`${product.url}/signature`);
  const list = page.getByRole('table');
  await expect(list.getByRole('link', { name: 'Distrato' })).toBeVisible();
  for (const words of ['conceicao ara', 'conceicao@exemplo']) {
    await page.getByRole('searchbox').fill(words);
    await expect(list.getByRole('link', { name: 'Distrato' })).toHaveCount(0);
    await expect(list.getByRole('link', { name: 'Procuração' })).toBeVisible();
  }
  await page.getByRole('region', { name: 'Continue de onde parou' }).getByRole('link', { name: 'Continuar' }).click();
  await page.waitForURL('**/prepare');
  await expect(page.getByText('dora@exemplo.com.br')).toBeVisible();
  await expect(page.getByText(/^PDF · 3 páginas · /)).toBeVisible();
});

test('a deadline is typed as people write dates; with all there is to say of a signer, no word of the table breaks and the page is not wider', async ({
  page,
}) => {
  await choose(page);
  await page.getByRole('button', { name: 'Colar uma lista' }).click();
  const list = 'Ana Lima; ana.lima@exemplo.com.br; 529.982.247-25\nMaria das Dores Conceição; maria.das.dores@exemplo.com.br';
  await page.getByLabel('Uma pessoa por linha').fill(list);
  await page.getByRole('button', { name: 'Adicionar 2 pessoas' }).click();
  await page.getByLabel('Prazo geral').check();
  const day = page.getByRole('group', { name: 'Prazo', exact: true }).getByLabel('Data');
  await day.clear();
  await day.pressSequentially('5/1/2030');
  await expect(day).toHaveValue('05/01/2030');
  await day.fill('2030-01-06');
  await expect(day).toHaveValue('06/01/2030');
  await day.fill('07/01/30');
  await day.blur();
  await expect(day).toHaveValue('07/01/2030');
  await page.getByLabel('Várias assinaturas por pessoa').check();
  await page.getByLabel('Prazo individual por signatário').check();
  for (const width of [1440, 1280, 768]) {
    await page.setViewportSize({ width, height: 900 });
    const choice = page.getByText('ao mesmo tempo que Ana');
    const [height, room] = await choice.evaluate((words) => [words.clientHeight, words.clientWidth] as const);
    // Its longest word has room; five lines or more were letters below each other.
    expect([height < 100, room > 50], `${width}: ${height} × ${room}`).toEqual([true, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
  }
});

test('where each person has a deadline of their own, no page says that there is none; a document’s type is told', async ({ page }) => {
  await page.setInputFiles('input[type=file]', pdf('por-pessoa.pdf', await makeContract('Contrato', 1)));
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Ana Lima', 'ana.lima@exemplo.com.br');
  await page.getByLabel('Prazo individual por signatário').check();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  const facts = page.locator('dl.facts').first();
  await expect(facts.getByText(/^PDF · 1 página · /)).toBeVisible();
  await expect(facts.getByText('Por pessoa')).toBeVisible();
  await expect(facts.getByText('Sem prazo')).toBeHidden();
  await facts.scrollIntoViewIfNeeded();
  await page.screenshot({ path: 'test-results/shots/workspace-due-each.png' });
  await page.setViewportSize(phone);
  await facts.scrollIntoViewIfNeeded();
  await page.screenshot({ path: 'test-results/shots/workspace-due-each-phone.png' });
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);

  const row = page.getByRole('row', { name: /por-pessoa/ });
  await expect(row.getByRole('cell', { name: 'Por pessoa', exact: true })).toBeVisible();
  await row.getByRole('button', { name: 'Detalhes de por-pessoa' }).click();
  await expect(page.locator('dl.facts').getByText('Por pessoa')).toBeVisible();
  await page.screenshot({ path: 'test-results/shots/home-due-each.png' });
  await page.setViewportSize(phone);
  await row.first().scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.screenshot({ path: 'test-results/shots/home-due-each-phone.png' });
});

test('a draft that is open in two windows is one draft: what one adds or takes off the other shows, and what was sent is sent once', async ({
  page,
  context,
}) => {
  await choose(page);
  await page.getByRole('button', { name: 'Eu também assino' }).click();
  const other = await context.newPage();
  watchServer(other);
  await signIn(product, other);
  await other.getByRole('link', { name: 'Continuar rascunho' }).first().click();
  const people = (window: Page) => window.getByRole('cell', { name: /@exemplo\.com\.br/ });
  await expect(people(other)).toHaveText(['ana@exemplo.com.br']);

  await addSigner(other, 'Bento Sá', 'bento@exemplo.com.br');
  await addSigner(page, 'Davi Reis', 'davi@exemplo.com.br');
  const all = ['ana@exemplo.com.br', 'bento@exemplo.com.br', 'davi@exemplo.com.br'];
  for (const window of [page, other]) await expect(people(window)).toHaveText(all);
  await other.getByRole('button', { name: 'Corrigir Davi Reis' }).click();
  await page.getByRole('button', { name: 'Remover Davi Reis' }).click();
  await expect(people(other)).toHaveText(all.slice(0, 2));
  await expect(other.getByRole('button', { name: 'Salvar' })).toBeHidden();

  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);
  await other.waitForURL('**/signature');
  await expect(other.getByText('Este rascunho já foi enviado ou descartado em outra janela.').first()).toBeVisible();
  await expect(other.getByRole('link', { name: 'Continuar rascunho' })).toHaveCount(0);
});

test('“Eu também assino” keeps to the signer form: an account’s name that no signer may have is told beside the field, before anything is sent', async ({
  page,
}) => {
  await page.goto(`${product.url}/account/settings`);
  await page.getByLabel('Sobrenome').fill('Reis Jr.');
  await page.getByRole('button', { name: 'Salvar' }).first().click();
  await expect(page.getByText(/Alterações salvas|Configurações salvas/).first()).toBeVisible();
  await page.goto(`${product.url}/signature`);
  await choose(page);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  const name = page.getByLabel('Nome', { exact: true }).first();
  const own = page.getByRole('button', { name: 'Eu também assino' });

  // Somebody who is being typed does not give way.
  await name.fill('Bento');
  await own.click();
  await expect(page.getByText('Você digitou uma pessoa e ainda não a adicionou.')).toBeVisible();
  await expect(name).toHaveValue('Bento');
  await name.fill('');
  await expect(page.getByText('Você digitou uma pessoa e ainda não a adicionou.')).toBeHidden();

  await own.click();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Ana Reis Jr.');
  await expect(name).toHaveAccessibleDescription('O nome não pode ter .: use só letras, espaços, apóstrofo e hífen.');
  await expect(page.getByLabel('E-mail', { exact: true }).first()).toHaveValue('ana@exemplo.com.br');
  await expect(rows).toHaveCount(0);
  await expectAccessible(page, 'workspace-own-name');
  await page.screenshot({ path: 'test-results/shots/workspace-own-name.png', fullPage: true });
  await page.setViewportSize(phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.screenshot({ path: 'test-results/shots/workspace-own-name-phone.png', fullPage: true });
  await page.setViewportSize({ width: 1280, height: 860 });
  await name.fill('Ana Reis Jr');
  await page.getByRole('button', { name: 'Adicionar signatário' }).click();
  await expect(rows).toHaveText([/Ana Reis Jr.*ana@exemplo\.com\.br/]);
  await expect(own).toBeHidden();

  // A draft of before this was judged.
  await expect.poll(() => keptNames(page)).toContain('Ana Reis Jr');
  await keptNames(page, 'Ana Reis Jr.');
  await page.reload();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await expect(page.locator('.signers [data-fault]')).toBeFocused();
  await expect(page.locator('.signers [data-fault]')).toHaveText('O nome não pode ter .: use só letras, espaços, apóstrofo e hífen.');
  await page.screenshot({ path: 'test-results/shots/workspace-refused-signer.png' });
  // What the bar at the bottom covers a part of is counted as small.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page, 'workspace-refused-signer');
  await page.setViewportSize(phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.locator('.signers [data-fault]').scrollIntoViewIfNeeded();
  await page.screenshot({ path: 'test-results/shots/workspace-refused-signer-phone.png' });
  await page.getByRole('button', { name: 'Corrigir Ana Reis Jr.' }).click();
  await rows.getByLabel('Nome', { exact: true }).fill('Ana Reis');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
});

/** The names of the first signers of the drafts that this browser keeps; `name`: which they have from now on. */
function keptNames(page: Page, name?: string): Promise<string[]> {
  return page.evaluate(
    (next) =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('lavra');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('drafts', 'readwrite');
          const drafts = transaction.objectStore('drafts');
          const reading: IDBRequest<{ signers: { name: string }[] }[]> = drafts.getAll();
          const names: string[] = [];
          reading.onsuccess = () => {
            for (const draft of reading.result) {
              const [first, ...others] = draft.signers;
              if (!first) continue;
              names.push(first.name);
              if (next !== undefined) drafts.put({ ...draft, signers: [{ ...first, name: next }, ...others] });
            }
          };
          transaction.oncomplete = () => {
            opening.result.close();
            resolve(names);
          };
        };
      }),
    name,
  );
}
