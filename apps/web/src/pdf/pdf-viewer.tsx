import type { PageGeometry } from '@lavra/domain';
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icons.tsx';
import { PageCanvas } from './page-canvas.tsx';
import { layOutPages, pageAt, type PageLayout } from './page-layout.ts';
import { type OpenedPdf, type PdfViewSource, usePdf } from './pdf-document.ts';

interface PdfViewerProps {
  source: PdfViewSource;
  /** Names the source; a new key opens it anew. */
  sourceKey: string;
  /** 'full' adds going to a page by number; the signer's page has the reduced one. */
  toolbar: 'full' | 'reduced';
  title: string;
  /** Drawn above all pages, in the page list's pixels. */
  overlay?: (layout: PageLayout, scroller: RefObject<HTMLDivElement | null>) => ReactNode;
}

export function PdfViewer(props: PdfViewerProps) {
  const { t } = useTranslation();
  const state = usePdf(props.source, props.sourceKey);
  if (state.state === 'failed') return <div className="notice notice-error" role="alert">{t(`pdf.${state.reason}`)}</div>;
  if (state.state === 'loading') return <div className="viewer"><p className="empty" role="status">{t('pdf.loading')}</p></div>;
  return <OpenViewer key={props.sourceKey} {...props} pdf={state.pdf} />;
}

function OpenViewer({ pdf, toolbar, title, overlay }: PdfViewerProps & { pdf: OpenedPdf }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [geometries, setGeometries] = useState<PageGeometry[]>(() => Array.from({ length: pdf.pageCount }, () => pdf.first));
  const [zoom, setZoom] = useState<number | null>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const fit = useCallback(() => {
    const width = (scroller.current?.clientWidth ?? 700) - 34;
    const widest = Math.max(...geometries.map((geometry) => layOutPages([geometry], 1).width));
    setZoom(Math.min(2, width / widest));
  }, [geometries]);
  useLayoutEffect(() => {
    if (zoom === null) fit();
  }, [fit, zoom]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const note = () => setView({ top: element.scrollTop, height: element.clientHeight });
    note();
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, []);
  const onGeometry = useCallback((number: number, geometry: PageGeometry) => {
    setGeometries((known) => (JSON.stringify(known[number - 1]) === JSON.stringify(geometry) ? known : known.with(number - 1, geometry)));
  }, []);
  const layout = useMemo(() => layOutPages(geometries, zoom ?? 1), [geometries, zoom]);
  const current = pageAt(layout, view.top + view.height / 3)?.number ?? 1;
  const goTo = (number: number) => {
    const page = layout.pages[number - 1];
    if (page) scroller.current?.scrollTo({ top: page.top });
  };
  const visible = layout.pages.filter((page) => page.top < view.top + view.height * 1.5 && page.top + page.height > view.top - view.height / 2).slice(0, 4);
  const scale = (factor: number) => setZoom(Math.min(4, Math.max(0.25, (zoom ?? 1) * factor)));
  return (
    <div className="viewer">
      <div className="viewer-bar" role="toolbar" aria-label={t('pdf.toolbar')}>
        <button type="button" className="icon-button" aria-label={t('pdf.zoomOut')} onClick={() => scale(1 / 1.2)}><Icon name="minus" /></button>
        <span>{Math.round((zoom ?? 1) * 75)}%</span>
        <button type="button" className="icon-button" aria-label={t('pdf.zoomIn')} onClick={() => scale(1.2)}><Icon name="plus" /></button>
        <button type="button" className="icon-button" aria-label={t('pdf.fit')} onClick={fit}><Icon name="fit" /></button>
        {toolbar === 'full' ? (
          <label>
            <span className="visually-hidden">{t('pdf.goTo')}</span>
            <input type="number" min={1} max={pdf.pageCount} value={current} onChange={(event) => goTo(Number(event.target.value))} /> {t('pdf.of', { total: pdf.pageCount })}
          </label>
        ) : (
          <span>{t('pdf.pageOf', { page: current, total: pdf.pageCount })}</span>
        )}
      </div>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div ref={scroller} className="viewer-scroll" tabIndex={0} role="region" aria-label={title}>
        <div className="viewer-pages" style={{ width: layout.width, height: layout.height }}>
          {zoom !== null && visible.map((page) => (
            <div key={page.number} className="viewer-page" style={{ top: page.top, left: page.left, width: page.width, height: page.height }}>
              <PageCanvas document={pdf.document} number={page.number} zoom={zoom} label={t('pdf.pageOf', { page: page.number, total: pdf.pageCount })} onGeometry={onGeometry} />
            </div>
          ))}
          {zoom !== null && overlay?.(layout, scroller)}
        </div>
      </div>
    </div>
  );
}
