import { cpSync, globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { lighterPdfEngine } from './lighter-engine.ts';
import { pageParts } from './page-parts.ts';
import { callsWithoutSchemas } from './without-schemas.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** Where a build goes: those of the kit go elsewhere, while the other is being served. */
let built = '';
const builtWhere: Plugin = {
  name: 'built-where',
  apply: 'build',
  configResolved: ({ root, build: { outDir } }) => {
    built = resolve(root, outDir);
  },
};

/** Character maps, standard fonts and image codecs that PDFs may need, served from our own address. */
function pdfAssets(): Plugin[] {
  const source = dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist'))));
  const copied: Plugin = {
    name: 'pdf-assets',
    apply: 'build',
    closeBundle() {
      for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
        // All but the engine for scripts inside PDFs: those never run here.
        cpSync(join(source, folder), join(built, 'pdf', folder), { recursive: true, filter: (path) => !/quickjs/i.test(path) });
    },
  };
  const served: Plugin = {
    name: 'pdf-assets-served',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use('/pdf', (request, response, next) => {
        const [, path] = /^\/((?:cmaps|standard_fonts|wasm)\/[\w-][\w.-]*)$/.exec(request.url?.split('?')[0] ?? '') ?? [];
        if (path === undefined) return next();
        readFile(join(source, path)).then(
          (bytes) =>
            response.setHeader('content-type', path.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream').end(bytes),
          () => next(),
        );
      });
    },
  };
  return [copied, served];
}

/** Below this a compressed answer saves no packet. */
const COMPRESSED_FROM = 1024;

/** Every file of the build that shrinks stands beside itself in Brotli and gzip: the server compresses nothing while people wait. */
function compressed(): Plugin {
  const beside = async (path: string): Promise<void> => {
    const bytes = await readFile(path);
    if (bytes.length < COMPRESSED_FROM) return;
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    if (br.length < bytes.length * 0.95) await writeFile(`${path}.br`, br);
    if (gz.length < bytes.length * 0.95) await writeFile(`${path}.gz`, gz);
  };
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await Promise.all(globSync(join(built, '**/*.{js,mjs,css,svg,wasm,txt}')).map(beside));
      },
    },
  };
}

/** React Aria speaks 34 languages; the pages three. */
const unspoken = /\/react-(aria|stately|aria-components)\/dist\/private\/intl\/(?:\w+\/)?(?!pt-BR|en-US|es-ES)[a-z]{2}-[A-Z]{2}\.mjs$/;
const fewerLanguages: Plugin = {
  name: 'fewer-languages',
  load: (id) => (unspoken.test(id) ? 'export default {};' : null),
};

export default defineConfig({
  root: here,
  plugins: [builtWhere, react(), callsWithoutSchemas(), pdfAssets(), lighterPdfEngine(), fewerLanguages, compressed()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    // Which scripts a page is made of: the server names them in its head.
    manifest: true,
    rolldownOptions: {
      // What stands in the page, and what it begins once that is shown.
      input: { index: join(here, 'index.html'), main: join(here, 'src/main.tsx') },
      output: {
        codeSplitting: {
          groups: [
            ...pageParts,
            // What every page begins with, in one file: each is a request, and on a slow network a wait.
            { name: 'first', tags: ['$initial'], test: /src[\\/](?!boot).*\.tsx?$|packages[\\/]|node_modules|^\0wire/ },
          ],
        },
      },
    },
  },
  // `npm run dev` says where the server listens; whatever is not a page is its.
  server: {
    proxy: Object.fromEntries(['/api', '/management', '/i18n', '/pki'].map((path) => [path, process.env['LAVRA_DEV_SERVER'] ?? ''])),
  },
});
