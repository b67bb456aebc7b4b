import { Loading } from '../ui/states.tsx';

/** Stands where the viewer will, as large as it: what is below does not move when it comes. */
export function ViewerPlace() {
  return (
    <div className="viewer">
      <Loading rows={6} />
    </div>
  );
}
