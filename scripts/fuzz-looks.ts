import { installMissing } from './debian-packages.ts';

/** Who shows PDFs and comes from Debian; whoever is missing all the same is told by the hunt, which fails of it where CI is set. */
installMissing({
  'poppler-utils': '/usr/bin/pdftocairo',
  ghostscript: '/usr/bin/gs',
  chromium: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
});
await import('../packages/pades/scripts/fuzz-looks.ts');
