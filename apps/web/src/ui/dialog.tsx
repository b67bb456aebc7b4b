import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icons.tsx';

interface DialogProps {
  title: string;
  closeLabel: string;
  onClose(): void;
  /** Work under way: the dialog cannot be left. */
  busy?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/**
 * The browser's own modal dialog: it keeps the focus, answers Escape and makes the rest inert. On a phone it is a sheet at the
 * lower edge. The focus goes back to what opened it, or to the page's heading when that is gone.
 */
export function Dialog({ title, closeLabel, onClose, busy = false, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      const back = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector<HTMLElement>('#content h1');
      back?.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {!busy && (
          <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
