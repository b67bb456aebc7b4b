import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { openPages } from './file-pages.ts';

/** A small picture of a page, drawn when it comes into sight; decoration: what it shows is told beside it. */
export function PageThumbnail({ file, number, width }: { file: File; number: number; width: number }) {
  const frame = useRef<HTMLSpanElement>(null);
  const [picture, setPicture] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let current = true;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void drawPage(file, number, width).then((canvas) => current && setPicture(canvas));
    });
    seen.observe(element);
    return () => {
      current = false;
      seen.disconnect();
    };
  }, [file, number, width]);
  useEffect(() => {
    if (picture) frame.current?.replaceChildren(picture);
  }, [picture]);
  return (
    <span className="thumbnail" style={{ width }} aria-hidden="true">
      <span ref={frame} className="thumbnail-page">
        {!picture && <Icon name="document" />}
      </span>
    </span>
  );
}

/** The page as wide as asked, for the screen's density; null: it cannot be drawn. */
async function drawPage(file: File, number: number, width: number): Promise<HTMLCanvasElement | null> {
  const pages = await openPages(file);
  const page = await pages?.getPage(number).catch(() => null);
  if (!page) return null;
  const density = window.devicePixelRatio || 1;
  const viewport = page.getViewport({ scale: (width * density) / page.getViewport({ scale: 1 }).width });
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  return page
    .render({ canvas, viewport })
    .promise.then(() => canvas)
    .catch(() => null);
}
