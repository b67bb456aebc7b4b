import { Popover } from 'react-aria-components/Popover';
import type { ReactNode, RefObject } from 'react';
import { AriaLocale } from './aria-locale.tsx';

interface AriaPopoverProps {
  anchor: RefObject<HTMLElement | null>;
  /** Where what it shows does not name itself. */
  label?: string;
  trigger?: 'MenuTrigger';
  onClose(): void;
  children: ReactNode;
}

/** What opens beside its button, over the page. In a dialog it stands within: what is outside of one cannot be reached. */
export function AriaPopover({ anchor, label, trigger, onClose, children }: AriaPopoverProps) {
  const dialog = anchor.current?.closest('dialog');
  return (
    <AriaLocale>
      <Popover
        className="popover"
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => !open && onClose()}
        placement="bottom end"
        {...(label ? { 'aria-label': label } : {})}
        {...(trigger ? { trigger } : {})}
        {...(dialog ? { UNSTABLE_portalContainer: dialog } : {})}
      >
        {children}
      </Popover>
    </AriaLocale>
  );
}
