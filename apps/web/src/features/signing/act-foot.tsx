import type { ReactNode } from 'react';
import { useInView } from '../../ui/use-in-view.ts';

/** The buttons of a step, and what keeps it from going on: beside them, so that it is in sight on the smallest screen too. */
export function ActFoot({ fault, children }: { fault: string | undefined; children: ReactNode }) {
  // Where the foot does not stand at the lower edge of the screen.
  const element = useInView<HTMLDivElement>(fault);
  return (
    <div ref={element} className="act-foot">
      {fault !== undefined && (
        <p className="error" role="alert">
          {fault}
        </p>
      )}
      <div className="actions actions-end">{children}</div>
    </div>
  );
}
