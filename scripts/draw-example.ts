import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { locales, type Locale, languageTag, readMessages } from '../apps/server/src/language/translator.ts';

/*
 * `node scripts/draw-example.ts`: draws the document that somebody signs to try the product out, one per language, from the sentences
 * `example.*` of the locales. Drawn once and kept beside the page that offers it; drawn again when its sentences change.
 */

const root = join(import.meta.dirname, '..');
const target = join(root, 'apps/web/src/features/processes/reading/example');
/** Cuts of one weight: of a variable font a browser would draw pictures of letters into the file. */
const font = (family: string, weight: number, file: string) =>
  `@font-face { font-family: '${family}'; font-weight: ${weight}; src: url('file://${root}/node_modules/@expo-google-fonts/${file}.ttf') }`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A4 in points; the frame stands where `begin-example.ts` puts the signature. */
function page(locale: Locale): string {
  const words = readMessages(join(root, 'locales'), locale);
  const t = (key: string) => escaped(words[`example.${key}`] ?? '');
  return `<!doctype html><html lang="${languageTag(locale)}"><head><meta charset="utf-8"><title>${t('title')}</title><style>
    ${font('Source Sans 3', 400, 'source-sans-3/400Regular/SourceSans3_400Regular')}
    ${font('Source Sans 3', 600, 'source-sans-3/600SemiBold/SourceSans3_600SemiBold')}
    @page { size: 595.28pt 841.89pt; margin: 0 }
    body { margin: 0; padding: 72pt; box-sizing: border-box; width: 595.28pt; height: 841pt; position: relative; color: #16211f;
      font: 12pt/1.55 'Source Sans 3'; }
    .brand { color: #0f5a53; font-weight: 600; font-size: 11pt; letter-spacing: .02em; margin: 0 0 36pt; border-bottom: 1pt solid #d9d4c7; padding-bottom: 10pt }
    h1 { font: 600 27pt/1.15 'Source Sans 3'; margin: 0 0 14pt }
    h2 { font: 600 14pt/1.3 'Source Sans 3'; margin: 20pt 0 4pt }
    p { margin: 0 0 8pt }
    .place { position: absolute; left: 72pt; top: 616.89pt; width: 150pt; height: 75pt; border: .75pt dashed #8a948f; border-radius: 4pt }
    .under { position: absolute; left: 72pt; top: 698pt; color: #55625e; font-size: 10pt }
    </style></head><body>
    <p class="brand">Lavra</p><h1>${t('title')}</h1><p>${t('lead')}</p>
    ${[1, 2, 3].map((part) => `<h2>${t(`part${part}.title`)}</h2><p>${t(`part${part}.text`)}</p>`).join('')}
    <div class="place"></div><p class="under">${t('place')}</p></body></html>`;
}

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' });
mkdirSync(target, { recursive: true });
for (const locale of locales) {
  const sheet = await browser.newPage();
  // From a file, so that the fonts beside it may be read.
  const source = join(target, `${locale}.html`);
  writeFileSync(source, page(locale));
  await sheet.goto(`file://${source}`);
  await sheet.evaluate('document.fonts.ready');
  writeFileSync(join(target, `${locale}.pdf`), await sheet.pdf({ preferCSSPageSize: true, tagged: true, printBackground: true }));
  await sheet.close();
  rmSync(source);
}
await browser.close();
