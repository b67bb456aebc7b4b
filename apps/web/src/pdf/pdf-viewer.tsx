import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icons.tsx';
import { PageCanvas } from './page-canvas.tsx';
import { pageAt, pagesInView, type PageLayout } from './page-layout.ts';
import { type OpenedPdf, type PdfViewSource, usePdf } from './pdf-document.ts';
import { useGeometries } from './use-geometries.ts';
import { usePageView } from './use-page-view.ts';

interface PdfViewerProps {
  source: PdfViewSource;
  /** Names the source; a new key opens it anew. */
  sourceKey: string;
  /** 'full' adds going to a page by number; the signer's page has the reduced one. */
  toolbar: 'full' | 'reduced';
  title: string;
  /** Goes to this page each time it is another object. */
  target?: { page: number } | null;
  /** Drawn above all pages, in the page list's pixels. */
  overlay?: (layout: PageLayout, scroller: RefObject<HTMLDivElement | null>) => ReactNode;
}

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

function OpenViewer({ pdf, source, toolbar, title, overlay, target }: PdfViewerProps & { pdf: OpenedPdf }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [geometries, learnGeometry] = useGeometries(pdf, 'file' in source);
  const { layout, view, scale, fit } = usePageView(scroller, geometries);
  const current = pageAt(layout, (view?.top ?? 0) + (view?.height ?? 0) / 3)?.number ?? 1;
  const goTo = (number: number) => scroller.current?.scrollTo({ top: layout.pages[number - 1]?.top ?? 0 });
  useEffect(() => {
    if (!target) return;
    goTo(target.page);
    scroller.current?.focus({ preventScroll: true });
    scroller.current?.scrollIntoView({ block: 'nearest' });
    // Asked once: a change of zoom later is not another request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [target]);
  return (
    <div className="viewer">
      <div className="viewer-bar" role="toolbar" aria-label={t('pdf.toolbar')}>
        <button type="button" className="icon-button" aria-label={t('pdf.zoomOut')} onClick={() => scale(1 / 1.2)}>
          <Icon name="minus" />
        </button>
        <span>{Math.round(layout.zoom * 75)}%</span>
        <button type="button" className="icon-button" aria-label={t('pdf.zoomIn')} onClick={() => scale(1.2)}>
          <Icon name="plus" />
        </button>
        <button type="button" className="icon-button" aria-label={t('pdf.fit')} onClick={fit}>
          <Icon name="fit" />
        </button>
        {toolbar === 'full' ? (
          <GoToPage current={current} total={pdf.pageCount} onGo={goTo} />
        ) : (
          <span>{t('pdf.pageOf', { page: current, total: pdf.pageCount })}</span>
        )}
      </div>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div ref={scroller} className="viewer-scroll" tabIndex={0} role="region" aria-label={title}>
        <div className="viewer-pages" style={{ width: layout.width, height: layout.height }}>
          {view !== null &&
            pagesInView(layout, view.top, view.height).map((page) => (
              <div
                key={page.number}
                className="viewer-page"
                style={{ top: page.top, left: page.left, width: page.width, height: page.height }}
              >
                <PageCanvas
                  document={pdf.document}
                  number={page.number}
                  zoom={layout.zoom}
                  label={t('pdf.pageOf', { page: page.number, total: pdf.pageCount })}
                  onGeometry={learnGeometry}
                />
              </div>
            ))}
          {view !== null && overlay?.(layout, scroller)}
        </div>
      </div>
    </div>
  );
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
