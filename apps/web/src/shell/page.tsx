import { type ReactNode, useEffect, useRef } from 'react';

/** A page's frame: the heading takes the focus when the address changes, and the title follows it. */
export function Page({
  title,
  children,
  narrow = false,
  heading = true,
}: {
  title: string;
  children: ReactNode;
  narrow?: boolean;
  heading?: boolean;
}) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Lavra`;
  }, [title]);
  useEffect(() => {
    element.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return (
    <main id="content" className={narrow ? 'page page-narrow' : 'page'}>
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
