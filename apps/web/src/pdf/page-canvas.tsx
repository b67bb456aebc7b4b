import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useRef } from 'react';
import { geometryOf } from './pdf-document.ts';
import type { PageGeometry } from '@lavra/domain';

const MAX_PIXELS = 16_000_000;

interface PageCanvasProps {
  document: PDFDocumentProxy;
  /** One-based. */
  number: number;
  /** CSS pixels per user-space unit. */
  zoom: number;
  label: string;
  onGeometry(number: number, geometry: PageGeometry): void;
}

/** One page drawn at the current zoom and the screen's density; its memory is given back when it leaves the view. */
export function PageCanvas({ document, number, zoom, label, onGeometry }: PageCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    let task: { cancel(): void; promise: Promise<void> } | null = null;
    let current = true;
    void document
      .getPage(number)
      .then((page) => {
        if (!current) return undefined;
        onGeometry(number, geometryOf(page));
        const css = page.getViewport({ scale: zoom / page.userUnit });
        const density = Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / (css.width * css.height)));
        const viewport = page.getViewport({ scale: (zoom / page.userUnit) * density });
        element.width = Math.floor(viewport.width);
        element.height = Math.floor(viewport.height);
        task = page.render({ canvas: element, viewport });
        return task.promise;
      })
      .catch(() => {});
    return () => {
      current = false;
      task?.cancel();
      element.width = 0;
      element.height = 0;
    };
  }, [document, number, zoom, onGeometry]);
  return <canvas ref={canvas} role="img" aria-label={label} />;
}
