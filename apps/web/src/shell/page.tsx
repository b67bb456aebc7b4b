import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

/** `form`: one column, read from above to below. `list`: the usual width. `workspace`: as wide as a document and its tools want. */
export type Frame = 'form' | 'list' | 'workspace';

/** A page: the heading takes the focus when the address changes, and the title follows it. All frames stand on one grid. */
export function Page({
  title,
  children,
  frame = 'list',
  heading = true,
}: {
  title: string;
  children: ReactNode;
  frame?: Frame;
  heading?: boolean;
}) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Lavra`;
  }, [title]);
  // With the first drawing: who is quick is in a field of the page by the time that anything comes later.
  useLayoutEffect(() => {
    element.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return (
    <main id="content" className={`page page-${frame}`}>
      {heading && (
        <h1 ref={element} tabIndex={-1}>
          {title}
        </h1>
      )}
      {children}
    </main>
  );
}

export function Notice({ kind = 'info', children }: { kind?: 'info' | 'error' | 'success' | 'warning'; children: ReactNode }) {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
