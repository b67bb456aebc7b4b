import { expect, type Page } from '@playwright/test';
import { makeContract } from './documents.ts';
import { addSigner, creator, signIn, submitCreation } from './people.ts';
import { mailedLink, type Product } from './product.ts';

/** A digital process of one signer; answers the signer's link. */
export async function invite(product: Product, page: Page, title: string, name: string, email: string, expected?: string): Promise<string> {
  await signIn(product, page);
  await page.setInputFiles('input[type=file]', { name: `${title}.pdf`, mimeType: 'application/pdf', buffer: await makeContract(title, 1) });
  await page.waitForURL('**/prepare');
  if (expected) await page.getByLabel('CPF (opcional)').fill(expected);
  await addSigner(page, name, email);
  if (expected) await expect(page.getByRole('cell', { name: expected })).toBeVisible();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura digital \(ICP-Brasil\)/ }).check();
  await expect(page.getByRole('checkbox', { name: 'A localização de quem assina é opcional' })).toBeDisabled();
  await submitCreation(page);
  return mailedLink(product, email, `${creator.name} pediu sua assinatura`);
}

/** Step one: no picture of one's own. */
export async function chooseModel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await page.getByRole('tab', { name: 'Modelo de quem enviou' }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
}

/** Step two, filled in. */
export async function chooseType(page: Page, number: string, type: RegExp): Promise<void> {
  await page.getByLabel('CPF', { exact: true }).fill(number);
  await page.getByRole('radio', { name: type }).check();
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
}
