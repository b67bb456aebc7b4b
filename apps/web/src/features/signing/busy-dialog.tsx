import { Dialog } from '../../ui/dialog.tsx';

/** Something is being done that cannot be left. */
export function BusyDialog({ title, text = '' }: { title: string; text?: string }) {
  return (
    <Dialog title={title} closeLabel="" busy onClose={() => {}}>
      <div className="busy" role="status">
        <span className="spinner" />
        <p>{text}</p>
      </div>
    </Dialog>
  );
}
