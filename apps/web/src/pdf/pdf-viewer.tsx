import type { PageGeometry, Rect } from '@lavra/domain';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { Icon } from '../ui/icons.tsx';
import { PageCanvas } from './page-canvas.tsx';
import { PageWords } from './page-words.tsx';
import { TapsHint } from './taps-hint.tsx';
import { pageAt, pagesInView, type PageLayout, type PlacedPage, toPixels } from './page-layout.ts';
import { type OpenedPdf, type PdfViewSource, startReader, usePdf } from './pdf-document.ts';
import { isReadable, useDoubleTap } from './use-double-tap.ts';
import { useGeometries } from './use-geometries.ts';
import { useFullScreen } from './use-full-screen.ts';
import { usePageView } from './use-page-view.ts';
import { usePinch } from './use-pinch.ts';

/** A page, or a rectangle in it (points of its user space). */
export interface ViewerTarget {
  page: number;
  rect?: Rect;
}

interface PdfViewerProps {
  source: PdfViewSource;
  /** Names the source; a new key opens it anew. */
  sourceKey: string;
  /** 'full' adds going to a page by number; the signer's page has the reduced one. */
  toolbar: 'full' | 'reduced';
  title: string;
  /** Goes to this page each time it is another object. */
  target?: ViewerTarget | null;
  /** The last page came into view. */
  onLastPage?(): void;
  /** Drawn above all pages, in the page list's pixels. */
  overlay?: (layout: PageLayout, scroller: RefObject<HTMLDivElement | null>) => ReactNode;
}

export { startReader };

export function PdfViewer(props: PdfViewerProps) {
  const { t } = useTranslation();
  const state = usePdf(props.source, props.sourceKey);
  if (state.state === 'failed')
    return (
      <div className="notice notice-error" role="alert">
        {t(`pdf.${state.reason}`)}
      </div>
    );
  if (state.state === 'loading')
    return (
      <div className="viewer">
        <p className="empty" role="status">
          {t('pdf.loading')}
        </p>
      </div>
    );
  return <OpenViewer key={props.sourceKey} {...props} pdf={state.pdf} />;
}

function OpenViewer({ pdf, source, toolbar, title, overlay, target, onLastPage }: PdfViewerProps & { pdf: OpenedPdf }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [geometries, learnGeometry] = useGeometries(pdf, 'file' in source);
  const { layout, view, scale, fit } = usePageView(scroller, geometries);
  const current = pageAt(layout, (view?.top ?? 0) + (view?.height ?? 0) / 3)?.number ?? 1;
  const goTo = (number: number, rect?: Rect) => {
    const page = layout.pages[number - 1];
    if (!page) return;
    const place = rect && toPixels(rect, page, layout.zoom);
    // A third above it stays in sight: what is signed stands there.
    const above = (scroller.current?.clientHeight ?? 0) / 3;
    scroller.current?.scrollTo(place ? { top: Math.max(0, place.top - above), left: Math.max(0, place.left - 16) } : { top: page.top });
  };
  const frame = useRef<HTMLDivElement>(null);
  const { isFull, toggle } = useFullScreen(frame);
  usePinch(scroller, scale);
  // Where places are put, a tap puts one.
  useDoubleTap(scroller, toolbar === 'reduced', { layout, scale, fit });
  const shown = view === null ? [] : pagesInView(layout, view.top, view.height);
  const last = layout.pages.at(-1);
  // Its lower half, in sight: a page that is only drawn ahead was not read.
  const isAtEnd = view !== null && last !== undefined && view.top + view.height >= last.top + last.height / 2;
  useEffect(() => {
    if (isAtEnd) onLastPage?.();
    // The caller's function is another one each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isAtEnd]);
  useEffect(() => {
    if (!target) return;
    goTo(target.page, target.rect);
    scroller.current?.focus({ preventScroll: true });
    scroller.current?.scrollIntoView({ block: 'nearest' });
    // Asked once: a change of zoom later is not another request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [target]);
  return (
    <div ref={frame} className={isFull ? 'viewer viewer-full' : 'viewer'}>
      <div className="viewer-bar" role="toolbar" aria-label={t('pdf.toolbar')}>
        <ZoomButtons zoom={layout.zoom} scale={scale} fit={fit} />
        {toolbar === 'full' ? (
          <GoToPage current={current} total={pdf.pageCount} onGo={goTo} />
        ) : (
          <span>{t('pdf.pageOf', { page: current, total: pdf.pageCount })}</span>
        )}
        <button type="button" className="icon-button" aria-pressed={isFull} aria-label={t('pdf.full')} onClick={toggle}>
          <Icon name={isFull ? 'close' : 'full'} />
        </button>
      </div>
      {toolbar === 'reduced' && view !== null && <TapsHint isReadable={isReadable(layout.zoom)} />}
      {/* A region that scrolls must be reachable by keyboard. */}
      <div ref={scroller} className="viewer-scroll" tabIndex={0} role="region" aria-label={title}>
        <div className="viewer-pages" style={{ width: layout.width, height: layout.height }}>
          <PageSheets pages={shown} pdf={pdf} zoom={layout.zoom} onGeometry={learnGeometry} />
          {view !== null && overlay?.(layout, scroller)}
        </div>
      </div>
    </div>
  );
}

function ZoomButtons({ zoom, scale, fit }: { zoom: number; scale(factor: number): void; fit(): void }) {
  const { t } = useTranslation();
  return (
    <>
      <button type="button" className="icon-button" aria-label={t('pdf.zoomOut')} onClick={() => scale(1 / 1.2)}>
        <Icon name="minus" />
      </button>
      <span>{Math.round(zoom * 75)}%</span>
      <button type="button" className="icon-button" aria-label={t('pdf.zoomIn')} onClick={() => scale(1.2)}>
        <Icon name="plus" />
      </button>
      <button type="button" className="icon-button" aria-label={t('pdf.fit')} onClick={fit}>
        <Icon name="fit" />
      </button>
    </>
  );
}

interface PageSheetsProps {
  pages: readonly PlacedPage[];
  pdf: OpenedPdf;
  zoom: number;
  onGeometry(number: number, geometry: PageGeometry): void;
}

function PageSheets({ pages, pdf, zoom, onGeometry }: PageSheetsProps) {
  const { t } = useTranslation();
  return pages.map(({ number, top, left, width, height }) => (
    <div key={number} className="viewer-page" style={{ top, left, width, height }}>
      <PageCanvas
        document={pdf.document}
        number={number}
        zoom={zoom}
        label={t('pdf.pageOf', { page: number, total: pdf.pageCount })}
        onGeometry={onGeometry}
      />
      <PageWords document={pdf.document} number={number} language={pdf.language} />
    </div>
  ));
}

/** Shows the page in view; a number typed over it goes there on Enter or when the field is left. */
function GoToPage({ current, total, onGo }: { current: number; total: number; onGo(number: number): void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(String(current));
  useEffect(() => setText(String(current)), [current]);
  const go = (event?: FormEvent) => {
    event?.preventDefault();
    const wanted = Math.min(total, Math.max(1, Math.trunc(Number(text)) || current));
    setText(String(wanted));
    if (wanted !== current) onGo(wanted);
  };
  return (
    <form onSubmit={go}>
      <label>
        <span className="visually-hidden">{t('pdf.goTo')}</span>
        <input
          inputMode="numeric"
          value={text}
          onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
          onBlur={() => go()}
          onFocus={(event) => event.target.select()}
        />{' '}
        {t('pdf.of', { total })}
      </label>
    </form>
  );
}
