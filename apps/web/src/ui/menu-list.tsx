import { Menu, MenuItem as AriaMenuItem } from 'react-aria-components/Menu';
import type { RefObject } from 'react';
import { AriaPopover } from './aria-popover.tsx';
import './menu-list.css';

export interface MenuItem {
  readonly id: string;
  readonly text: string;
  /** It takes something away. */
  readonly isGrave?: boolean;
  act(): void;
}

interface MenuListProps {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  heading: string | undefined;
  items: readonly MenuItem[];
  onClose(): void;
}

/** The open menu: arrows, first letters, Escape; the focus goes back to its button. */
export function MenuList({ anchor, label, heading, items, onClose }: MenuListProps) {
  return (
    <AriaPopover anchor={anchor} label={label} trigger="MenuTrigger" onClose={onClose}>
      {heading && <p className="menu-heading">{heading}</p>}
      <Menu
        className="menu-list"
        aria-label={label}
        autoFocus="first"
        onClose={onClose}
        onAction={(key) => items.find(({ id }) => id === key)?.act()}
      >
        {items.map(({ id, text, isGrave }) => (
          <AriaMenuItem key={id} id={id} textValue={text} className={isGrave ? 'menu-item menu-item-grave' : 'menu-item'}>
            {text}
          </AriaMenuItem>
        ))}
      </Menu>
    </AriaPopover>
  );
}
