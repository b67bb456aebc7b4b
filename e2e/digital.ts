import { expect, type Page } from '@playwright/test';
import { makeContract } from './documents.ts';
import { button, field, type Hand } from './hands.ts';
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

/** Whose certificate and where it is, filled in: the first step where no place on the pages is seen. */
export async function chooseType(page: Page, number: string, type: RegExp): Promise<void> {
  await page.getByLabel('CPF', { exact: true }).fill(number);
  await page.getByRole('radio', { name: type }).check();
  await page.getByRole('checkbox', { name: /Li os documentos/ }).check();
}

/** The same by keys or a finger alone, from the link of the mail. */
export async function chooseTypeBy(hand: Hand, address: string, number: string, type: RegExp): Promise<void> {
  const { page } = hand;
  await page.goto(address);
  await hand.press(button(page, 'Assinar Documento'));
  await hand.write(field(page, 'CPF'), number);
  await hand.choose(page.getByRole('radio', { name: type }));
  await hand.choose(page.getByRole('checkbox', { name: /Li os documentos/ }));
}
