import { positionButton } from '@lavra/domain';
import type { DragEvent, ReactNode } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { boxStates, fileBoxes, signerBoxes, signerColor } from './draft-boxes.ts';
import { choiceKey } from './page-copies.ts';
import type { DraftFile, ProcessDraft, SignerDraft } from './process-draft.ts';
import type { Covered } from './use-covered.ts';
import { useFileLook } from './use-file-look.ts';

/** What a dragged person carries: their id. */
export const draggedSigner = 'application/x-lavra-signer';

interface SlotProps {
  draft: ProcessDraft;
  signer: SignerDraft;
  index: number;
  /** The document that is shown. */
  file: DraftFile;
  covered: ReadonlyMap<string, Covered>;
  onPress(): void;
  onRedo(): void;
  onRepeat(): void;
  onEveryPage(on: boolean): void;
  /** Who they are. */
  children: ReactNode;
}

/** A person of the list beside the pages: how far their boxes are, what to do next, and a handle to drag a box from. */
export function SignerSlot(props: SlotProps) {
  const { t } = useTranslation();
  const { draft, signer, index, file, covered, children } = props;
  const button = positionButton(boxStates(draft, signer));
  const warned = fileBoxes(draft, signer, file).flatMap(({ key }) => covered.get(key) ?? []);
  const isOpen = fileBoxes(draft, signer, file).some(({ box }) => box.state !== 'ready');
  const drag = (event: DragEvent) => {
    event.dataTransfer.setData(draggedSigner, signer.id);
    event.dataTransfer.effectAllowed = 'copy';
  };
  return (
    <li
      className={isOpen ? 'signer-slot signer-slot-open' : 'signer-slot'}
      style={{ ['--box-line' as string]: signerColor(index).line }}
      draggable={isOpen}
      onDragStart={drag}
    >
      {children}
      <div className="signer-slot-head">
        <span className="hint told">
          <PlaceWords {...props} />
        </span>
        {button === 'ready' && <span className="badge badge-good">✓ {t('confirm.button.ready')}</span>}
        <PositionButton {...props} />
      </div>
      {[...new Set(warned)].map((what) => (
        <p key={what} className="signer-slot-warning" role="status">
          {t(`confirm.covers.${what}`)}
        </p>
      ))}
      <Repetitions {...props} />
    </li>
  );
}

function PlaceWords({ draft, signer }: SlotProps) {
  const { t } = useTranslation();
  const button = positionButton(boxStates(draft, signer));
  const placing = signerBoxes(draft, signer).find(({ box }) => box.state === 'placing');
  if (placing?.box.page) return t('confirm.onPage', { page: placing.box.page });
  return t(button === 'fix' ? 'confirm.place' : `confirm.state.${button}`);
}

function PositionButton({ draft, signer, onPress, onRedo }: SlotProps) {
  const { t } = useTranslation();
  const button = positionButton(boxStates(draft, signer));
  const unplaced = button === 'fix' && signerBoxes(draft, signer).some(({ box }) => box.state === 'placing' && box.rect === null);
  const word = t(button === 'ready' ? 'confirm.redo' : `confirm.button.${button}`);
  return (
    <button
      type="button"
      data-signer={signer.id}
      className={button === 'ready' ? 'quiet' : 'primary'}
      disabled={unplaced}
      onClick={button === 'ready' ? onRedo : onPress}
      aria-label={`${word} (${signer.name})`}
    >
      {word}
    </button>
  );
}

/** The same in the other documents, and on every page of this one: offered where there are others. */
function Repetitions({ draft, signer, file, onRepeat, onEveryPage }: SlotProps) {
  const { t } = useTranslation();
  const look = useFileLook(file.file);
  const boxes = fileBoxes(draft, signer, file);
  if (!boxes.every(({ box }) => box.rect !== null)) return null;
  const elsewhere = signerBoxes(draft, signer).some((one) => one.file.id !== file.id && one.box.state !== 'ready');
  // A file with signatures of its own takes one box of each person.
  const takesOne = look?.notices.some(({ code }) => code === 'pageApart' || code === 'invisibleOnly') ?? true;
  const pageCount = look?.facts?.pageCount ?? 1;
  return (
    <>
      {elsewhere && (
        <button type="button" className="quiet" aria-label={`${t('confirm.repeat')} (${signer.name})`} onClick={onRepeat}>
          {t('confirm.repeat')}
        </button>
      )}
      {pageCount > 1 && !takesOne && (
        <Checkbox
          label={t('confirm.everyPage', { count: pageCount })}
          checked={draft.everyPage[choiceKey(signer.id, file.id)] ?? false}
          onChange={onEveryPage}
        />
      )}
    </>
  );
}
