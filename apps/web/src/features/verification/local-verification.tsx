import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useWindowDrop } from '../../ui/window-drop.ts';
import { DropVeil } from './drop-veil.tsx';
import { UnreadableFile, type VerifiedFile, verifyFile } from './verify-file.ts';

type State =
  | { step: 'idle' }
  | { step: 'reading'; name: string; progress: number }
  | { step: 'done'; verified: VerifiedFile }
  | { step: 'failed'; message: string };

/** What is done with a file of the visitor's own computer, and how to hand one over. */
export interface LocalVerification {
  state: State;
  check(file: File): Promise<void>;
  isOver: boolean;
}

/** Any signed PDF of the visitor's own computer, chosen or dropped anywhere: verified here, sent nowhere. */
export function useLocalVerification(): LocalVerification {
  const { t } = useTranslation();
  const [state, setState] = useState<State>({ step: 'idle' });
  // The file that was asked for last is the one that is told of.
  const asked = useRef<File>(null);
  async function check(file: File): Promise<void> {
    asked.current = file;
    const tell = (next: State) => asked.current === file && setState(next);
    const { name } = file;
    tell({ step: 'reading', name, progress: 0 });
    try {
      tell({ step: 'done', verified: await verifyFile(file, (progress) => tell({ step: 'reading', name, progress })) });
    } catch (error) {
      const known = error instanceof UnreadableFile;
      tell({ step: 'failed', message: known ? t(`verify.unreadable.${readable(error.code)}`) : errorText(error, t) });
    }
  }
  const isOver = useWindowDrop(([file]) => file && void check(file));
  return { state, check, isOver };
}

function readable(code: string): string {
  return ['NOT_A_PDF', 'ENCRYPTED', 'DAMAGED', 'TOO_COMPLEX'].includes(code) ? code : 'UNEXPECTED';
}

/** The button that opens the computer's own dialog. */
export function ChooseButton({ local: { check }, label }: { local: LocalVerification; label: string }) {
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file) void check(file);
  };
  return (
    <label className="button file-button">
      {label}
      <input type="file" accept="application/pdf,.pdf" className="visually-hidden" onChange={choose} />
    </label>
  );
}

/** How far it is, what went wrong, and the veil while a file is held over the window. */
export function LocalProgress({ local: { state, isOver } }: { local: LocalVerification }) {
  const { t } = useTranslation();
  return (
    <>
      <div role="status">
        {state.step === 'reading' && (
          <p>
            {t('verify.fileReading', { name: state.name })}{' '}
            <progress value={state.progress} aria-label={t('verify.fileReading', { name: state.name })} />
          </p>
        )}
      </div>
      {state.step === 'failed' && <Notice kind="error">{state.message}</Notice>}
      {isOver && <DropVeil />}
    </>
  );
}

/** The place to choose the file at; the whole window is the place to drop it. */
export function ChooseFile({ local }: { local: LocalVerification }) {
  const { t } = useTranslation();
  return (
    <section className="card">
      <h2>{t('verify.fileTitle')}</h2>
      <p>{t('verify.fileIntro')}</p>
      <div className="drop-place">
        <Icon name="document" />
        <p className="drop-words">{t('verify.fileDrop')}</p>
        <ChooseButton local={local} label={t('verify.fileChoose')} />
      </div>
      <LocalProgress local={local} />
    </section>
  );
}
