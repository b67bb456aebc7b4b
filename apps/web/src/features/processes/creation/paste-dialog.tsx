import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { pastedPeople } from './pasted-people.ts';
import type { SignerPerson } from './process-draft.ts';

interface PasteProps {
  known: readonly string[];
  onAdd(people: SignerPerson[]): void;
  onClose(): void;
}

/** A list from a spreadsheet or a mail: each line is judged as it is pasted; those that are right are added, the others stay to be mended. */
export function PasteDialog({ known, onAdd, onClose }: PasteProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const lines = pastedPeople(text, known);
  const people = lines.flatMap((line) => ('person' in line ? [line.person] : []));
  const wrong = lines.filter((line) => 'fault' in line);
  const add = () => {
    onAdd(people);
    if (wrong.length === 0) onClose();
    else setText(wrong.map((line) => line.text).join('\n'));
  };
  return (
    <Dialog title={t('prepare.paste.title')} closeLabel={t('dialog.close')} wide onClose={onClose}>
      <Field label={t('prepare.paste.label')} hint={t('prepare.paste.hint')}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            aria-describedby={describedBy}
            rows={7}
            value={text}
            placeholder={t('prepare.paste.example')}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <ul className="pasted" aria-live="polite" aria-label={t('prepare.paste.judged')} tabIndex={0}>
        {lines.map((line) => (
          <li key={line.number} className={'fault' in line ? 'pasted-wrong' : undefined}>
            {'fault' in line
              ? `${t('prepare.paste.line', { number: line.number })} ${t(line.fault.key, line.fault.params ?? {})}`
              : `✓ ${line.person.name} · ${line.person.email}`}
          </li>
        ))}
      </ul>
      <div className="actions actions-end">
        <button type="button" onClick={onClose}>
          {t('word.cancel')}
        </button>
        <button type="button" className="primary" disabled={people.length === 0} onClick={add}>
          {people.length === 0 ? t('prepare.paste.addNone') : t('prepare.paste.add', { count: people.length })}
        </button>
      </div>
    </Dialog>
  );
}
