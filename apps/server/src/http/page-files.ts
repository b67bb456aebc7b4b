import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { DAY_MS } from '@lavra/domain';
import type { Ctx } from '../context.ts';
import type { PublicAnswer } from '../public-answer.ts';
import { localeFiles } from './locale-files.ts';
import { findPageFileRow, holdPageFiles, insertPageFile, keptNames, type PageFile, supersedeOthers } from './page-files.store.ts';

/** Who keeps a page open for longer than that after an upgrade loads it anew. */
const KEPT_DAYS = 7;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
};

/**
 * Keeps what this node's pages are made of where the nodes of other versions find it: while one is replaced by the next, a page that came
 * from one of them asks the other for its parts. Called before the node answers anybody.
 */
export async function keepPageFiles(ctx: Ctx): Promise<void> {
  const { webDir, localesDir } = ctx.config;
  const present = new Set(readdirSync(join(webDir, 'assets')));
  const assets = [...present].filter((name) => !/\.(br|gz)$/.test(name));
  const sentences = [...localeFiles(localesDir).values()];
  const names = [...assets.map((name) => `assets/${name}`), ...sentences.map(({ name }) => `i18n/${name}`)];
  const until = new Date(ctx.clock.now().getTime() - KEPT_DAYS * DAY_MS);
  const read = async (name: string): Promise<PageFile> => {
    const locale = sentences.find((one) => `i18n/${one.name}` === name);
    if (locale) return { name, type: locale.answer.type, isPacked: false, bytes: locale.answer.body };
    const isPacked = present.has(`${name.slice('assets/'.length)}.br`);
    const bytes = await readFile(join(webDir, isPacked ? `${name}.br` : name));
    return { name, type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', isPacked, bytes };
  };
  const known = await keptNames(ctx, names);
  const missing = await Promise.all(names.filter((name) => !known.has(name)).map(read));
  await ctx.transaction(async (tx) => {
    await holdPageFiles(tx);
    for (const file of missing) await insertPageFile(tx, file);
    await supersedeOthers(tx, names, until);
  });
}

/** A file of the pages of another version, as it is sent; null: no version that ran in the last days had it. */
export async function findPageFile(ctx: Ctx, name: string): Promise<PublicAnswer | null> {
  const found = await findPageFileRow(ctx, name);
  if (!found) return null;
  const { type, isPacked, bytes } = found;
  const body = isPacked ? await promisify(brotliDecompress)(bytes) : bytes;
  return { type, body, packed: isPacked ? { br: bytes } : {}, etag: `"${name.replaceAll('/', '-')}"` };
}
