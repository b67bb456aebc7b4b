import { pressPositionButton } from '@lavra/domain';
import type { BoxPlace } from '../../../pdf/placement.ts';
import { boxStates, pressedBoxes, signerBoxes } from './draft-boxes.ts';
import type { DraftBox, ProcessDraft } from './process-draft.ts';

/** What happens to the boxes of a draft. */
export type BoxEvent =
  /** A signer's position button: Iniciar, Fixar, Iniciar próxima or Pronto. */
  | { is: 'pressed'; signerId: string }
  | { is: 'moved'; key: string; place: BoxPlace }
  | { is: 'done'; key: string; place: BoxPlace }
  | { is: 'cancelled'; key: string };

/** Boxes that change, by their key. */
export type BoxChanges = Readonly<Record<string, DraftBox>>;

const EMPTY: DraftBox = { state: 'idle', page: null, rect: null };

/** What becomes of the boxes: one is being placed at a time, whoever's it is, and one that is ready stands on a page. */
export function boxStep(draft: ProcessDraft, event: BoxEvent): BoxChanges {
  switch (event.is) {
    case 'pressed': {
      const signer = draft.signers.find(({ id }) => id === event.signerId);
      if (!signer) return {};
      // What has no place yet cannot be fixed there.
      const isUnplaced = signerBoxes(draft, signer).some(({ box }) => box.state === 'placing' && box.rect === null);
      return isUnplaced ? {} : pressedBoxes(draft, signer, pressPositionButton(boxStates(draft, signer)));
    }
    case 'moved':
      return { [event.key]: { state: draft.boxes[event.key]?.state ?? 'placing', ...event.place } };
    case 'done':
      return { [event.key]: { state: 'ready', ...event.place } };
    case 'cancelled':
      return { [event.key]: EMPTY };
  }
}
