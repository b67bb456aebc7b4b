import type { SignatureModel } from '@lavra/domain';
import { type DragEvent, type RefObject, useMemo } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import type { PageLayout } from '../../../pdf/page-layout.ts';
import { type BoxPlace, placementStep } from '../../../pdf/placement.ts';
import { PlacementLayer } from '../../../pdf/placement-layer.tsx';
import { PdfViewer } from '../../../pdf/pdf-viewer.tsx';
import type { PlacementActs } from '../../../pdf/use-placement.ts';
import { fileBoxes } from './draft-boxes.ts';
import { CopiedBoxes, placedBoxes } from './placed-boxes.tsx';
import type { DraftFile, ProcessDraft } from './process-draft.ts';
import { draggedSigner } from './signer-slot.tsx';

interface PagesProps extends PlacementActs {
  draft: ProcessDraft;
  file: DraftFile;
  model: SignatureModel;
  /** Goes to this page each time it is another object. */
  target: { page: number } | null;
  onPut(key: string, place: BoxPlace): void;
}

/** The document, large, with everybody's boxes on it; a person dragged on to a page leaves a box there. */
export function DocumentPages({ draft, file, model, target, onPut, onMove, onDone, onCancel }: PagesProps) {
  const { t } = useTranslation();
  const source = useMemo(() => ({ file: file.file }), [file.file]);
  const size = { width: model.width, height: model.height };
  const drop = (event: DragEvent, layout: PageLayout) => {
    const signer = draft.signers.find(({ id }) => id === event.dataTransfer.getData(draggedSigner));
    const free = signer && fileBoxes(draft, signer, file).find(({ box }) => box.state !== 'ready');
    const frame = event.currentTarget.getBoundingClientRect();
    if (!free) return;
    event.preventDefault();
    const point = { x: event.clientX - frame.left, y: event.clientY - frame.top };
    const anywhere = { page: 1, rect: { x: 0, y: 0, ...size } };
    const [act] = placementStep(null, { is: 'clicked', point }, layout, [{ key: free.key, state: 'placing', size, ...anywhere }]).acts;
    if (act?.do === 'move') onPut(free.key, act.place);
  };
  const overlay = (layout: PageLayout, scroller: RefObject<HTMLDivElement | null>) => (
    <div
      className="placement"
      onDragOver={(event) => event.dataTransfer.types.includes(draggedSigner) && event.preventDefault()}
      onDrop={(event) => drop(event, layout)}
    >
      <CopiedBoxes draft={draft} file={file} model={model} layout={layout} />
      <PlacementLayer
        layout={layout}
        scroller={scroller}
        boxes={placedBoxes({ draft, file, model }, layout, scroller.current?.scrollTop ?? 0, t)}
        {...{ onMove, onDone, onCancel }}
      />
    </div>
  );
  return (
    <PdfViewer
      source={source}
      sourceKey={file.id}
      toolbar="full"
      title={file.name}
      target={target}
      {...(draft.visible && draft.modality !== null ? { overlay } : {})}
    />
  );
}
