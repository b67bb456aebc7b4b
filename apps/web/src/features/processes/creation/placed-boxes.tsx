import type { SignatureModel } from '@lavra/domain';
import type { Translate } from '../../../lib/i18n.ts';
import type { PageLayout } from '../../../pdf/page-layout.ts';
import type { PlacedBox } from '../../../pdf/placement-layer.tsx';
import { StampPreview } from '../../../pdf/stamp-preview.tsx';
import { pixelsOf } from '../../../pdf/placement.ts';
import { fileBoxes, signerColor } from './draft-boxes.ts';
import { pageCopies } from './page-copies.ts';
import type { DraftFile, ProcessDraft } from './process-draft.ts';
import { startPlace } from './start-place.ts';

/** The boxes of one document as they are drawn on its pages; one that has no place yet stands in sight. */
export function placedBoxes(
  { draft, file, model }: { draft: ProcessDraft; file: DraftFile; model: SignatureModel },
  layout: PageLayout,
  scrollTop: number,
  t: Translate,
): PlacedBox[] {
  const size = { width: model.width, height: model.height };
  const all = draft.signers.flatMap((signer, index) => fileBoxes(draft, signer, file).map((one) => ({ ...one, signer, index })));
  const placed = all.flatMap(({ box: { page, rect } }) => (page !== null && rect !== null ? [{ page, rect }] : []));
  return all.flatMap(({ key, box, repetition, signer, index }) => {
    if (box.state === 'idle') return [];
    const { page, rect } = box;
    const place = page !== null && rect !== null ? { page, rect } : startPlace(size, layout, scrollTop, placed);
    if (!place) return [];
    const corner = { x: place.rect.x.toFixed(0), y: place.rect.y.toFixed(0) };
    return {
      key,
      label: t('confirm.boxLabel', { name: signer.name, number: repetition + 1, page: place.page, ...corner }),
      color: signerColor(index),
      state: box.state,
      size,
      ...place,
      content: <StampPreview name={signer.name} zoom={layout.zoom} model={model} />,
    };
  });
}

interface CopiesProps {
  draft: ProcessDraft;
  file: DraftFile;
  model: SignatureModel;
  layout: PageLayout;
}

/** The copies on the other pages: they follow their first box, and are not taken hold of themselves. */
export function CopiedBoxes({ draft, file, model, layout }: CopiesProps) {
  const pages = layout.pages.map(({ geometry }) => geometry);
  return draft.signers.flatMap((signer, index) =>
    pageCopies(draft, signer, file, pages).map((place) => {
      const { left, top, width, height } = pixelsOf(place, layout);
      const { line, fill } = signerColor(index);
      return (
        <span
          key={`${signer.id}/${place.page}`}
          className="box box-copy"
          aria-hidden="true"
          style={{ left, top, width, height, ['--box-line' as string]: line, ['--box-fill' as string]: fill }}
        >
          <StampPreview name={signer.name} zoom={layout.zoom} model={model} />
        </span>
      );
    }),
  );
}
