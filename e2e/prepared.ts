import { rm } from 'node:fs/promises';
import { PREPARED, startProduct } from './product.ts';

/**
 * A product's first start (database, schema, authorities of its own) made once for all stories, which begin on a copy of what it left:
 * two thirds of a start. The first start itself is tried by the server's own tests, and by whoever starts a product outside the stories.
 */
export default async function prepare(): Promise<() => Promise<void>> {
  const { dataDir, end } = await startProduct();
  await end();
  process.env[PREPARED] = dataDir;
  return () => rm(dataDir, { recursive: true, force: true });
}
