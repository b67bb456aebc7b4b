import { useState } from 'react';
import { Notice } from '../shell/page.tsx';
import { DateTimeField } from '../ui/date-time-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toasts.ts';
import { useKitWords } from './use-kit-words.ts';

/** What answers an act: notices, toasts with the way back, a dialog, a menu. */
export function KitActs() {
  const w = useKitWords();
  const [isOpen, setOpen] = useState(false);
  const [isThere, setThere] = useState(true);
  const [chosen, setChosen] = useState('—');
  const remove = () => {
    showToast({ text: w('removed'), action: { label: w('undo'), act: () => setThere(true) } });
    setThere(false);
  };
  const item = (id: 'edit' | 'copy' | 'remove') => ({ id, text: w(id), isGrave: id === 'remove', act: () => setChosen(w(id)) });
  return (
    <section className="card" aria-labelledby="kit-acts">
      <h2 id="kit-acts">{w('acts')}</h2>
      <Notice>{w('info')}</Notice>
      <Notice kind="success">{w('success')}</Notice>
      <Notice kind="warning">{w('warning')}</Notice>
      <Notice kind="error">{w('error')}</Notice>
      <ul className="list">
        {isThere && (
          <li>
            <span>Contrato.pdf</span>
            <button type="button" className="quiet" onClick={remove}>
              {w('toastUndo')}
            </button>
          </li>
        )}
      </ul>
      <div className="actions">
        <button type="button" onClick={() => setOpen(true)}>
          {w('dialog')}
        </button>
        <button type="button" onClick={() => showToast({ text: w('success') })}>
          {w('toast')}
        </button>
        <Menu label={w('menu')} items={[item('edit'), item('copy'), item('remove')]}>
          <Icon name="more" />
        </Menu>
        <span role="status">
          {w('chosen')}: {chosen}
        </span>
      </div>
      {isOpen && (
        <Dialog title={w('question')} closeLabel={w('close')} onClose={() => setOpen(false)}>
          <p>{w('explanation')}</p>
          <DateTimeField label={`${w('deadline')} 2`} value="2026-12-24T21:30:00.000Z" min="2026-12-10T12:00:00.000Z" onChange={() => {}} />
          <div className="actions actions-end">
            <button type="button" onClick={() => setOpen(false)}>
              {w('keep')}
            </button>
            <button type="button" className="danger" onClick={() => setOpen(false)}>
              {w('remove')}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
