import { rm } from 'node:fs/promises';
import type { FullConfig } from '@playwright/test';
import { preparedFor, startProduct } from './product.ts';

/**
 * A product's first start (database, schema, authorities of its own) made once for all stories, which begin on a copy of what it left:
 * two thirds of a start. Who tells stories at one time has each their own, with its own ports. The first start itself is tried by the
 * server's own tests, and by whoever starts a product outside the stories.
 */
export default async function prepare({ workers }: FullConfig): Promise<() => Promise<void>> {
  const products = await Promise.all(Array.from({ length: workers }, () => startProduct()));
  await Promise.all(products.map(({ end }) => end()));
  products.forEach(({ dataDir }, teller) => (process.env[preparedFor(teller)] = dataDir));
  return async () => {
    for (const { dataDir } of products) await rm(dataDir, { recursive: true, force: true });
  };
}
