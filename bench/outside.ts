/**
 * The make-believe outside world of a measured product as a program of its own: a timestamp authority as outside ones are, and a mail
 * server. What they take of the processor is nobody's here. Says its addresses on its standard output and ends when that closes.
 *
 *     node bench/outside.ts DIRECTORY [cloud: a make-believe ICP-Brasil with a cloud provider too]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCloudWorld } from './cloud-world.ts';
import { startMailCatcher, startTimestampWorld } from '../packages/make-believe/src/index.ts';

/** What the product is told of it. */
export interface Outside {
  variables: { SMTP_URL: string; TSA_URL: string; TSA_ROOTS: string; LAVRA_ALLOW_PRIVATE_FETCH: string; BENCH_CLOUD?: string };
}

const [directory = '.', what] = process.argv.slice(2);
const [timestamps, mails] = await Promise.all([startTimestampWorld(), startMailCatcher({ directory: join(directory, 'mail') })]);
const roots = join(directory, 'timestamp-roots.pem');
await writeFile(roots, timestamps.root.certificate.toString('pem'));
const outside: Outside = {
  variables: {
    SMTP_URL: mails.smtpUrl,
    TSA_URL: timestamps.url,
    TSA_ROOTS: roots,
    LAVRA_ALLOW_PRIVATE_FETCH: timestamps.host,
    ...(what === 'cloud' ? { BENCH_CLOUD: JSON.stringify(await startCloudWorld()) } : {}),
  },
};
process.stdout.write(`${JSON.stringify(outside)}\n`);
process.stdin.once('end', () => process.exit(0)).resume();
