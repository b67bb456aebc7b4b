import { type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyInTime } from '../lib/lazy-pages.ts';
import type { MenuItem } from './menu-list.tsx';

const fetchList = () => import('./menu-list.tsx');
const MenuList = lazyInTime(async () => (await fetchList()).MenuList);

interface MenuProps {
  label: string;
  /** What the acts belong to, where the button does not say it all. */
  heading?: string;
  items: readonly MenuItem[];
  children: ReactNode;
}

/** A button with what can be done, for where the acts themselves have no room. Nothing of it is fetched before it is reached for. */
export function Menu({ label, heading, items, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void fetchList()}
        onFocus={() => void fetchList()}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <MenuList anchor={button} label={label} heading={heading} items={items} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
