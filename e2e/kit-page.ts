import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pages built as `npm run dev` shows them, `/dev/kit` among them. */
export async function buildForDevelopment(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lavra-kit-'));
  const built = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      join(root, 'apps/web'),
      '--mode',
      'development',
      '--outDir',
      directory,
      '--emptyOutDir',
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'development' } },
  );
  if (built.status !== 0) throw new Error(built.stderr);
  return directory;
}

/** Shows them in place of the built pages, under the headers of the true server: its Content Security Policy above all. */
export async function showDevelopment(page: Page, directory: string): Promise<void> {
  const index = await readFile(join(directory, 'index.html'), 'utf8');
  await page.route('**/assets/**', (route) => route.fulfill({ path: join(directory, new URL(route.request().url()).pathname) }));
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const nonce = /'nonce-([^']+)'/.exec(response.headers()['content-security-policy'] ?? '')?.[1];
    if (nonce === undefined) throw new Error('the page came without its policy');
    await route.fulfill({ response, body: index.replaceAll('__CSP_NONCE__', nonce) });
  });
}

const violations: string[] = [];

/** Notes whatever the browser's policy refused. */
export function watchPolicy(page: Page): void {
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
}

export function policyViolations(): string[] {
  return violations.splice(0);
}
