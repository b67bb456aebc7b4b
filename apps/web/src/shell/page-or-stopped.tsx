import { Component, type ReactNode, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { forgetFailed } from '../lib/lazy-pages.ts';
import { StoppedPage } from './stopped.page.tsx';

interface BoundaryProps {
  /** Which visit of which address: another one is tried anew. */
  at: string;
  /** What stands there instead. */
  instead: ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  at: string;
  stopped: boolean;
}

class StoppedBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at, stopped: false };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { stopped: true };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    if (at === state.at) return null;
    if (state.stopped) forgetFailed();
    return { at, stopped: false };
  }

  override render(): ReactNode {
    return this.state.stopped ? this.props.instead : this.props.children;
  }
}

/** The page of the address, or the one that says that it stopped working; the page before stays until this one's script has come. */
export function PageOrStopped() {
  const { key } = useLocation();
  return (
    <Suspense>
      <StoppedBoundary at={key} instead={<StoppedPage />}>
        <Outlet />
      </StoppedBoundary>
    </Suspense>
  );
}

/** A part beside the page: where its script did not come the page does without it, and asks for it again at its next address. */
export function Beside({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  return (
    <Suspense>
      <StoppedBoundary at={key} instead={null}>
        {children}
      </StoppedBoundary>
    </Suspense>
  );
}
