import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Icon } from '../../../ui/icons.tsx';

/** Drop or choose PDFs; what is not a PDF by name and type is told apart for its warning. */
export function FileDropzone({ maxBytes, onFiles }: { maxBytes: number | undefined; onFiles(files: File[]): void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const megabytes = Math.floor((maxBytes ?? 0) / 1024 / 1024) || 100;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className={over ? 'dropzone dropzone-over' : 'dropzone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="document" />
      <div className="grow">
        <p>
          <strong className="by-mouse">{t('home.drop')}</strong>
          <strong className="by-finger">{t('home.choose')}</strong>
        </p>
        <p className="hint by-mouse">{t('home.dropHint', { megabytes })}</p>
        <p className="hint by-finger">{t('home.chooseHint', { megabytes })}</p>
      </div>
      <button type="button" className="primary" onClick={() => input.current?.click()}>
        {t('home.import')}
      </button>
      <input
        ref={input}
        type="file"
        accept="application/pdf,.pdf"
        multiple
        hidden
        aria-label={t('home.import')}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </div>
  );
}
