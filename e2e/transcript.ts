import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Locator } from '@playwright/test';

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/accessibility.md');

/** Set by `npm run transcript`: what the accessibility tree tells is written into the document, between its comments. */
const writes = process.env['WRITES_TRANSCRIPT'] === 'yes';

/**
 * Holds what a screen reader is told of this part of the page to what stands under a mark `<!-- told: NAME -->` of docs/accessibility.md, or
 * writes it there.
 */
export async function tell(part: Locator, name: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const place = new RegExp(`(<!-- told: ${name} -->\n\n\`\`\`yaml\n)([^]*?)(\n\`\`\`)`);
  const kept = place.exec(text)?.[2];
  if (kept === undefined) throw new Error(`${file} has no mark for “${name}”`);
  const told = async () => sameEachTime(await part.ariaSnapshot());
  if (!writes) return expect.poll(told, `docs/accessibility.md, ${name}: npm run transcript writes it anew`).toBe(kept);
  const now = await told();
  writeFileSync(
    file,
    text.replace(place, (_, start: string, _old: string, end: string) => `${start}${now}${end}`),
  );
}

/** Without what differs from one run to the next: times, keys of links, hashes, ports and sizes of files. */
function sameEachTime(told: string): string {
  return told
    .replaceAll(/\d{1,2}\/\d{1,2}\/\d{2,4},? \d{2}:\d{2}(:\d{2})?/g, 'DIA HORA')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/localhost:\d+\/validateLogin/g, 'lavra/validateLogin')
    .replaceAll(/localhost:\d+/g, 'localhost:8025')
    .replaceAll(/[\d.,]+ [kM]B/g, 'TAMANHO')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\?user=[\w-]+/g, '?user=CHAVE');
}
