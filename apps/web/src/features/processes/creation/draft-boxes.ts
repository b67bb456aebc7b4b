import type { BoxState } from '@lavra/domain';
import type { DraftBox, DraftFile, ProcessDraft, SignerDraft } from './process-draft.ts';

export function boxKey(signerId: string, fileId: string, repetition: number): string {
  return `${signerId}/${fileId}/${repetition}`;
}

const EMPTY: DraftBox = { state: 'idle', page: null, rect: null };

/** A signer's boxes on one document, in order. */
export function fileBoxes(draft: ProcessDraft, signer: SignerDraft, file: DraftFile): { key: string; repetition: number; box: DraftBox }[] {
  return Array.from({ length: draft.multiple ? signer.quantity : 1 }, (_, repetition) => {
    const key = boxKey(signer.id, file.id, repetition);
    return { key, repetition, box: draft.boxes[key] ?? EMPTY };
  });
}

/** A signer's boxes over all documents, document by document. */
export function signerBoxes(
  draft: ProcessDraft,
  signer: SignerDraft,
): { key: string; file: DraftFile; repetition: number; box: DraftBox }[] {
  return draft.files.flatMap((file) => fileBoxes(draft, signer, file).map((one) => ({ ...one, file })));
}

export function boxStates(draft: ProcessDraft, signer: SignerDraft): BoxState[] {
  return signerBoxes(draft, signer).map(({ box }) => box.state);
}

/** The boxes that change when a signer's button is pressed; only one box is being placed at a time, whoever's it is. */
export function pressedBoxes(draft: ProcessDraft, signer: SignerDraft, states: readonly BoxState[]): Record<string, DraftBox> {
  const changes: Record<string, DraftBox> = {};
  for (const other of draft.signers.filter(({ id }) => id !== signer.id)) {
    for (const { key, box } of signerBoxes(draft, other))
      if (box.state === 'placing') changes[key] = { ...box, state: box.rect ? 'ready' : 'idle' };
  }
  signerBoxes(draft, signer).forEach(({ key, box }, index) => {
    const state = states[index] ?? 'idle';
    changes[key] = state === 'idle' ? EMPTY : { ...box, state };
  });
  return changes;
}

/** Boxes that are being placed and lie on a page are fixed there; the others are taken back. `but`: the one that stays under way. */
export function fixedBoxes(draft: ProcessDraft, but?: string): Record<string, DraftBox> {
  const placing = draft.signers.flatMap((signer) => signerBoxes(draft, signer)).filter(({ box }) => box.state === 'placing');
  return Object.fromEntries(
    placing.filter(({ key }) => key !== but).map(({ key, box }) => [key, box.rect ? { ...box, state: 'ready' as const } : EMPTY]),
  );
}

/** How many boxes are ready of how many. */
export function boxProgress(draft: ProcessDraft): { ready: number; total: number } {
  const states = draft.signers.flatMap((signer) => boxStates(draft, signer));
  return { ready: states.filter((state) => state === 'ready').length, total: states.length };
}

/** How many boxes lie on a page, fixed or not. */
export function standingCount(draft: ProcessDraft): number {
  return draft.signers.flatMap((signer) => signerBoxes(draft, signer)).filter(({ box }) => box.rect !== null).length;
}

/** Eight colours apart from each other, dark enough to be read on their fill. */
export const signerColors = [
  { line: '#0f6b5f', fill: 'rgba(214,245,238,0.85)' },
  { line: '#5b2a9d', fill: 'rgba(236,226,250,0.85)' },
  { line: '#9c3d10', fill: 'rgba(253,232,214,0.85)' },
  { line: '#1d4f91', fill: 'rgba(220,233,250,0.85)' },
  { line: '#8a1553', fill: 'rgba(252,224,238,0.85)' },
  { line: '#4f5b00', fill: 'rgba(240,244,205,0.85)' },
  { line: '#00586e', fill: 'rgba(212,240,247,0.85)' },
  { line: '#6b3a2a', fill: 'rgba(241,228,221,0.85)' },
] as const;

export function signerColor(index: number): (typeof signerColors)[number] {
  return signerColors[index % signerColors.length] ?? signerColors[0];
}
