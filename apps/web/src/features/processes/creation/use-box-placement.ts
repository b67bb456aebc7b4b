import { type RefObject, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import type { BoxPlace } from '../../../pdf/placement.ts';
import type { PlacementActs } from '../../../pdf/use-placement.ts';
import { showToast } from '../../../ui/toasts.ts';
import { type BoxEvent, boxStep } from './box-steps.ts';
import { signerBoxes } from './draft-boxes.ts';
import { choiceKey, repeatedBoxes } from './page-copies.ts';
import type { DraftFile, ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';
import { readFilePages } from './use-file-look.ts';

/** What is done with all boxes of a person at once. */
interface Wholesale {
  /** All of theirs are taken off, with the way back. */
  redo(signer: SignerDraft): void;
  /** What stands in the document that is shown stands in every other, with the way back. */
  repeat(signer: SignerDraft): void;
  setEveryPage(signer: SignerDraft, on: boolean): void;
}

export interface Placement extends PlacementActs, Wholesale {
  press(signer: SignerDraft): void;
  /** Dragged from the list of people: one of their boxes goes where it was let go. */
  put(key: string, place: BoxPlace): void;
  /** What a reader that does not see is told. */
  announcement: string;
}

interface Surroundings {
  draft: ProcessDraft;
  update: UpdateDraft;
  section: RefObject<HTMLElement | null>;
  /** The document that is shown. */
  file: DraftFile | undefined;
  show(fileIndex: number): void;
}

/** The boxes of a draft and what is done with them, with the document, the focus and the words that go with it. */
export function useBoxPlacement({ draft, update, section, file, show }: Surroundings): Placement {
  const { t } = useTranslation();
  const [announcement, setAnnouncement] = useState('');
  const take = (event: BoxEvent) => update((latest) => ({ boxes: { ...latest.boxes, ...boxStep(latest, event) } }));
  const at = ({ page, rect }: BoxPlace) => t('confirm.at', { page, x: rect.x.toFixed(0), y: rect.y.toFixed(0) });
  const focusButtonOf = (key: string) => section.current?.querySelector<HTMLElement>(`[data-signer="${key.split('/')[0]}"]`)?.focus();
  const wholesale = useWholesale({ draft, update, file }, setAnnouncement);
  return {
    announcement,
    press(signer) {
      const event = { is: 'pressed', signerId: signer.id, ...(file ? { fileId: file.id } : {}) } as const;
      const changes = boxStep(draft, event);
      take(event);
      const started = signerBoxes(draft, signer).find(({ key }) => changes[key]?.state === 'placing');
      if (!started) return;
      show(draft.files.indexOf(started.file));
      // On a phone the pages are above the button that was pressed; from the keyboard the arrows go on at once.
      takeFocus(section.current, '.viewer .box-placing');
    },
    ...wholesale,
    put(key, place) {
      take({ is: 'put', key, place });
      setAnnouncement(at(place));
      takeFocus(section.current, '.viewer .box-placing');
    },
    onMove(key, place, settled) {
      take({ is: 'moved', key, place });
      if (settled) setAnnouncement(at(place));
    },
    onDone(key, place) {
      take({ is: 'done', key, place });
      setAnnouncement(`${t('confirm.fixed')} ${at(place)}`);
      focusButtonOf(key);
    },
    onCancel(key) {
      take({ is: 'cancelled', key });
      setAnnouncement(t('confirm.cancelled'));
      focusButtonOf(key);
    },
  };
}

function useWholesale(
  { draft, update, file }: Pick<Surroundings, 'draft' | 'update' | 'file'>,
  announce: (text: string) => void,
): Wholesale {
  const { t } = useTranslation();
  /** Told with the way back to what stands now; people who were changed meanwhile stay as they are. */
  const tellWayBack = (text: string) => {
    const { boxes, everyPage, realSignature } = draft;
    showToast({ text, action: { label: t('prepare.undo'), act: () => update({ boxes, everyPage, realSignature }) } });
    announce(text);
  };
  return {
    redo(signer) {
      tellWayBack(t('confirm.redone', { name: signer.name }));
      update((latest) => ({
        boxes: { ...latest.boxes, ...boxStep(latest, { is: 'pressed', signerId: signer.id }) },
        everyPage: Object.fromEntries(Object.entries(latest.everyPage).filter(([key]) => !key.startsWith(`${signer.id}/`))),
      }));
    },
    repeat(signer) {
      if (!file) return;
      void readFilePages(draft.files).then((pages) => {
        tellWayBack(t('confirm.repeated', { name: signer.name }));
        update((latest) => repeatedBoxes(latest, signer, file, pages));
      });
    },
    setEveryPage(signer, on) {
      if (file) update(({ everyPage }) => ({ everyPage: { ...everyPage, [choiceKey(signer.id, file.id)]: on } }));
    },
  };
}

/** Gives the focus to what is about to be drawn: the document may have to be opened first. */
function takeFocus(within: HTMLElement | null, selector: string, attempts = 60): void {
  requestAnimationFrame(() => {
    const element = within?.querySelector<HTMLElement>(selector);
    if (element) {
      element.closest('.viewer')?.scrollIntoView({ block: 'nearest' });
      element.focus({ preventScroll: true });
    } else if (attempts > 0 && within?.isConnected) takeFocus(within, selector, attempts - 1);
  });
}
