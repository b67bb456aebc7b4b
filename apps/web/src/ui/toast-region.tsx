import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { Icon } from './icons.tsx';
import { currentToasts, dismissToast, subscribeToToasts, type Toast } from './toasts.ts';

/** Long enough to be read; with something to press, long enough to be reached (WCAG 2.2.1). Both begin anew when one looks away. */
const TOLD_MS = 6000;
const WITH_ACTION_MS = 10_000;

/**
 * Where toasts stand: a landmark, politely announced. They stay while the pointer or the focus is on them, or the window is not
 * looked at. F6 goes to the latest and back, Escape puts it away.
 */
export function ToastRegion() {
  const { t } = useTranslation();
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [isHeld, setHeld] = useState({ pointer: false, focus: false });
  const latest = toasts.at(-1);
  useFocusByKey(region, cameFrom);
  useEffect(() => {
    if (toasts.length === 0) setHeld({ pointer: false, focus: false });
    // What was pressed is gone: the next key finds the way back instead of the top of the page.
    if (latest?.byKeyboard && latest.action && document.activeElement === document.body) focusLatest(region.current);
  }, [toasts]);
  useRoomFor(region, toasts.length);
  const leave = (id: number) => {
    const hadFocus = region.current?.contains(document.activeElement) ?? false;
    dismissToast(id);
    if (hadFocus) giveBack(cameFrom.current);
  };
  return (
    <>
      <p className="visually-hidden" role="status">
        {latest && <span key={latest.id}>{latest.action ? t('toast.withAction', { text: latest.text }) : latest.text}</span>}
      </p>
      <section
        ref={region}
        className="toasts"
        aria-label={t('toast.region')}
        onPointerEnter={({ pointerType }) => setHeld((held) => ({ ...held, pointer: pointerType === 'mouse' }))}
        onPointerLeave={() => setHeld((held) => ({ ...held, pointer: false }))}
        // A button that was clicked keeps the focus without anybody being there.
        onFocus={({ target }) => setHeld((held) => ({ ...held, focus: target.matches(':focus-visible') }))}
        onBlur={() => setHeld((held) => ({ ...held, focus: false }))}
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} isHeld={isHeld.pointer || isHeld.focus} onLeave={() => leave(toast.id)} />
        ))}
      </section>
    </>
  );
}

function ToastCard({ toast, isHeld, onLeave }: { toast: Toast; isHeld: boolean; onLeave(): void }) {
  const { t } = useTranslation();
  useTimeIsUp(toast.action ? WITH_ACTION_MS : TOLD_MS, isHeld, onLeave);
  return (
    <div className="toast" onKeyDown={(event) => event.key === 'Escape' && onLeave()}>
      <span className="toast-text">{toast.text}</span>
      {toast.action && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            toast.action?.act();
            onLeave();
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t('dialog.close')} onClick={onLeave}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function useTimeIsUp(ms: number, isHeld: boolean, end: () => void): void {
  const [isAway, setAway] = useState(document.hidden);
  useEffect(() => {
    const look = () => setAway(document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (isHeld || isAway) return;
    const timer = setTimeout(end, ms);
    return () => clearTimeout(timer);
  }, [isHeld, isAway, ms]);
}

/** What the keys come to is scrolled clear of the toasts (WCAG 2.4.11): the page's own rules of style take their height from here. */
function useRoomFor(region: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--toasts', `${count === 0 ? 0 : (region.current?.offsetHeight ?? 0)}px`);
  }, [count]);
}

function useFocusByKey(region: RefObject<HTMLElement | null>, cameFrom: RefObject<Element | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || currentToasts().length === 0) return;
      event.preventDefault();
      if (region.current?.contains(document.activeElement)) return giveBack(cameFrom.current);
      cameFrom.current = document.activeElement;
      focusLatest(region.current);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function focusLatest(region: HTMLElement | null): void {
  region?.querySelector<HTMLElement>('.toast:last-child button')?.focus({ preventScroll: true });
}

/** To where it was; where that is gone, to the page's heading. */
function giveBack(element: Element | null): void {
  const back = element instanceof HTMLElement && element.isConnected && element !== document.body ? element : null;
  (back ?? document.querySelector<HTMLElement>('#content h1'))?.focus({ preventScroll: back === null });
}
