import { type BoxState, positionButton, pressPositionButton } from '@lavra/domain';
import type { BoxPlace } from '../../../pdf/placement.ts';
import { boxStates, fixedBoxes, pressedBoxes, signerBoxes } from './draft-boxes.ts';
import type { DraftBox, ProcessDraft, SignerDraft } from './process-draft.ts';

/** What happens to the boxes of a draft. */
export type BoxEvent =
  /** A signer's position button: Iniciar, Fixar, Iniciar próxima or Pronto. */
  | { is: 'pressed'; signerId: string; fileId?: string }
  /** Dragged from the list of people on to a page. */
  | { is: 'put'; key: string; place: BoxPlace }
  | { is: 'moved'; key: string; place: BoxPlace }
  | { is: 'done'; key: string; place: BoxPlace }
  | { is: 'cancelled'; key: string };

/** Boxes that change, by their key. */
export type BoxChanges = Readonly<Record<string, DraftBox>>;

const EMPTY: DraftBox = { state: 'idle', page: null, rect: null };

/** The next box is one of the document that is being looked at, while that has one left. */
function pressedStates(draft: ProcessDraft, signer: SignerDraft, fileId: string | undefined): BoxState[] {
  const states = boxStates(draft, signer);
  const own = signerBoxes(draft, signer).findIndex(({ box, file }) => box.state === 'idle' && file.id === fileId);
  const button = positionButton(states);
  if (own < 0 || button === 'fix' || button === 'ready') return pressPositionButton(states);
  return states.map((state, index) => (index === own ? 'placing' : state));
}

/** What becomes of the boxes: one is being placed at a time, whoever's it is, and one that is ready stands on a page. */
export function boxStep(draft: ProcessDraft, event: BoxEvent): BoxChanges {
  switch (event.is) {
    case 'pressed': {
      const signer = draft.signers.find(({ id }) => id === event.signerId);
      if (!signer) return {};
      // What has no place yet cannot be fixed there.
      const isUnplaced = signerBoxes(draft, signer).some(({ box }) => box.state === 'placing' && box.rect === null);
      return isUnplaced ? {} : pressedBoxes(draft, signer, pressedStates(draft, signer, event.fileId));
    }
    case 'put':
      return { ...fixedBoxes(draft, event.key), [event.key]: { state: 'placing', ...event.place } };
    case 'moved':
      return { [event.key]: { state: draft.boxes[event.key]?.state ?? 'placing', ...event.place } };
    case 'done':
      return { [event.key]: { state: 'ready', ...event.place } };
    case 'cancelled':
      return { [event.key]: EMPTY };
  }
}
