import { inTime } from '../../../lib/lazy-pages.ts';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Larger files are shown by the viewer alone: here each would be in memory a second time. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file does not change: its small pages are opened once for as long as it is chosen. */
const opened = new WeakMap<File, Promise<PDFDocumentProxy | null>>();

/** The file for small pictures of its pages and for its words; null: too large, or it cannot be drawn. */
export function openPages(file: File): Promise<PDFDocumentProxy | null> {
  const opening = opened.get(file) ?? open(file);
  opened.set(file, opening);
  return opening;
}

async function open(file: File): Promise<PDFDocumentProxy | null> {
  if (file.size > MOST_BYTES) return null;
  // The drawing engine is no small thing to load: it comes with the first file.
  const { openDocument } = await inTime(import('../../../pdf/pdf-document.ts'));
  return openDocument({ file }).catch(() => null);
}
