/**
 * What Lighthouse says of the pages that people open first, in its own two presets (a telephone on a slow network, a desktop): four figures of
 * a hundred for each. Part of `npm run bench -- web`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig } from 'lighthouse';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];
type Preset = 'mobile' | 'desktop';

export interface LighthousePage {
  name: string;
  url: string;
  /** Who opens it is signed in with this; null: comes as a stranger. */
  token: string | null;
  /** Not for search engines, on purpose: the audit that asks for it is not counted. */
  isPrivate: boolean;
}

interface Figures {
  scores: Record<Category, number>;
  /** What took something away, with what Lighthouse says of it. */
  lost: string[];
}

/** What no machine changes, and is held. */
const held: readonly Category[] = ['accessibility', 'best-practices', 'seo'];
const LEAST = 95;
const TRIES = 3;

/** Prints a line for each page and preset; whether one was below 95 in what the machine's speed has no part in. */
export async function tellLighthouse(pages: readonly LighthousePage[], presets: readonly Preset[]): Promise<boolean> {
  let isBelow = false;
  console.log(`${'Lighthouse'.padEnd(28)}${categories.map((one) => one.padStart(16)).join('')}`);
  for (const page of pages)
    for (const preset of presets) {
      const { scores, lost } = await figuresOf(page, preset);
      isBelow ||= held.some((one) => scores[one] < LEAST);
      const figures = categories.map((one) => `${scores[one]}${scores[one] < LEAST ? ' !' : ''}`.padStart(16));
      console.log(`${`${page.name} ${preset}`.padEnd(28)}${figures.join('')}${lost.length > 0 ? `   ${lost.join(', ')}` : ''}`);
    }
  return isBelow;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A machine that is at its end loses a trace now and then: another visit is as good. */
async function figuresOf(page: LighthousePage, preset: Preset): Promise<Figures> {
  for (let tries = 1; ; tries += 1)
    try {
      return await figuresOfVisit(page, preset);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
}

/** With a browser of its own, which has nothing stored but the session. */
async function figuresOfVisit({ url, token, isPrivate }: LighthousePage, preset: Preset): Promise<Figures> {
  const profile = await mkdtemp(join(tmpdir(), 'lavra-lighthouse-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    locale: 'pt-BR',
  });
  try {
    if (token !== null) {
      const page = await context.newPage();
      await page.goto(new URL('/robots.txt', url).href);
      await page.evaluate(`localStorage.setItem('jhi-authenticationToken', ${JSON.stringify(token)})`);
      await page.close();
    }
    const result = await lighthouse(
      url,
      {
        port,
        onlyCategories: [...categories],
        ...(isPrivate ? { skipAudits: ['is-crawlable'] } : {}),
        disableStorageReset: true,
        logLevel: 'silent',
      },
      preset === 'desktop' ? desktopConfig : undefined,
    );
    if (!result) throw new Error(`Lighthouse said nothing of ${url}`);
    const { lhr } = result;
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    const scores = Object.fromEntries(categories.map((one) => [one, Math.round((lhr.categories[one]?.score ?? Number.NaN) * 100)]));
    const lost = categories.flatMap((one) =>
      (lhr.categories[one]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < (one === 'performance' ? 0.9 : 1))
        .map(({ id }) => `${id}${lhr.audits[id]?.displayValue ? ` (${lhr.audits[id].displayValue})` : ''}`),
    );
    return { scores: scores as Record<Category, number>, lost };
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}
