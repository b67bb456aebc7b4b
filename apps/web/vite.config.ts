import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));

/** Character maps, standard fonts and image codecs that PDFs may need, served from our own address. */
function pdfAssets(): Plugin {
  const source = dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist'))));
  return {
    name: 'pdf-assets',
    apply: 'build',
    closeBundle() {
      for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
        // All but the engine for scripts inside PDFs: those never run here.
        cpSync(join(source, folder), join(here, 'dist/pdf', folder), { recursive: true, filter: (path) => !/quickjs/i.test(path) });
    },
  };
}

export default defineConfig({
  root: here,
  plugins: [react(), pdfAssets()],
  build: { target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700, modulePreload: { polyfill: false } },
  server: { proxy: { '/api': 'http://localhost:8080', '/management': 'http://localhost:8080', '/i18n': 'http://localhost:8080' } },
});
