/**
 * How long a signer waits for their page while every public address in turn is asked for 2,000 times a second by a process of
 * its own. Ends with a fault above a second.
 *
 *     node bench/visitors.ts [requests per second, default 2000] [seconds, default 6]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileFiles } from './hostile-files.ts';
import { quantile, startBenchedProduct } from './product.ts';
import { sentToSigner } from './sent-to-signer.ts';

const MOST_MS = 1000;
const rate = Number(process.argv[2] ?? 2000);
const seconds = Number(process.argv[3] ?? 6);
const pages = ['', 'api/validation/trust', 'pki/people.crl', 'pki/root.cer', 'management/info', 'management/health', 'i18n/pt-br.json'];

await using product = await startBenchedProduct();
const { url } = product;
const { processId, key } = await sentToSigner(product, hostileFiles.manyPages(3));
const page = `api/requisitionInformation/${processId}?user=${key}`;
await sleep(2000);
let worst = 0;
console.log('asked for by visitors      their answers a second   signer: median ms   longest ms');
for (const path of pages) {
  const loader = spawn(process.execPath, [`${import.meta.dirname}/loader.ts`, `${url}/${path}`, String(rate), String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  loader.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(loader, 'exit');
  await sleep(500);
  const waited: number[] = [];
  for (const stop = performance.now() + (seconds - 1) * 1000; performance.now() < stop;) {
    const begun = performance.now();
    const answer = await fetch(`${url}/${page}`);
    await answer.text();
    if (!answer.ok) throw new Error(`the signer's page answered ${answer.status}`);
    waited.push(performance.now() - begun);
    // A person's browser; and fewer than an address may ask.
    await sleep(150);
  }
  await ended;
  const longest = Math.max(...waited);
  worst = Math.max(worst, longest);
  const told = [Math.round(Number(said) / seconds), quantile(waited, 0.5), longest].map((value) => value.toFixed(0));
  console.log([`/${path}`.padEnd(26), told[0]?.padStart(23), told[1]?.padStart(19), told[2]?.padStart(12)].join(' '));
}
console.log(`longest: ${worst.toFixed(0)} ms`);
process.exitCode = worst > MOST_MS ? 1 : 0;
