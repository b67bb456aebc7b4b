import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoxPlace } from '../../../pdf/placement.ts';
import type { PlacementActs } from '../../../pdf/use-placement.ts';
import { type BoxEvent, boxStep } from './box-steps.ts';
import { signerBoxes } from './draft-boxes.ts';
import type { ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';

interface Placement extends PlacementActs {
  /** The document that is shown. */
  fileIndex: number;
  show(fileIndex: number): void;
  press(signer: SignerDraft): void;
  /** What a reader that does not see is told. */
  announcement: string;
}

/** The boxes of a draft and what is done with them, with the document, the focus and the words that go with it. */
export function useBoxPlacement(draft: ProcessDraft, update: UpdateDraft, section: RefObject<HTMLElement | null>): Placement {
  const { t } = useTranslation();
  const [fileIndex, show] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const take = (event: BoxEvent) => update((latest) => ({ boxes: { ...latest.boxes, ...boxStep(latest, event) } }));
  const at = ({ page, rect }: BoxPlace) => t('confirm.at', { page, x: rect.x.toFixed(0), y: rect.y.toFixed(0) });
  const focusButtonOf = (key: string) => section.current?.querySelector<HTMLElement>(`[data-signer="${key.split('/')[0]}"]`)?.focus();
  return {
    fileIndex,
    show,
    announcement,
    press(signer) {
      const event = { is: 'pressed', signerId: signer.id } as const;
      const changes = boxStep(draft, event);
      take(event);
      const started = signerBoxes(draft, signer).find(({ key }) => changes[key]?.state === 'placing');
      if (!started) return;
      show(draft.files.indexOf(started.file));
      // On a phone the pages are above the button that was pressed; from the keyboard the arrows go on at once.
      takeFocus(section.current, '.viewer .box-placing');
    },
    onMove(key, place, settled) {
      take({ is: 'moved', key, place });
      if (settled) setAnnouncement(at(place));
    },
    onDone(key, place, by) {
      take({ is: 'done', key, place });
      setAnnouncement(`${t('confirm.fixed')} ${at(place)}`);
      if (by === 'keyboard') focusButtonOf(key);
    },
    onCancel(key) {
      take({ is: 'cancelled', key });
      setAnnouncement(t('confirm.cancelled'));
      focusButtonOf(key);
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
