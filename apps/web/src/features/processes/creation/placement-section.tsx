import { positionButton } from '@lavra/domain';
import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignatureModels } from '../../../lib/signature-models.ts';
import type { PageLayout } from '../../../pdf/page-layout.ts';
import { PdfViewer } from '../../../pdf/pdf-viewer.tsx';
import { PlacementLayer } from '../../../pdf/placement-layer.tsx';
import { boxProgress, boxStates, signerBoxes, signerColor } from './draft-boxes.ts';
import { chosenModel } from './draft-model.ts';
import { placedBoxes } from './placed-boxes.tsx';
import type { DraftFile, ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';
import { useBoxPlacement } from './use-box-placement.ts';

interface PlacementProps {
  draft: ProcessDraft;
  update: UpdateDraft;
}

/** The document with the boxes on it, and beside it whose box is where. */
export function PlacementSection({ draft, update }: PlacementProps) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const { fileIndex, show, press, announcement, ...acts } = useBoxPlacement(draft, update, section);
  const file = draft.files[fileIndex] ?? draft.files[0];
  const { ready, total } = boxProgress(draft);
  const { data: models } = useSignatureModels();
  const model = chosenModel(draft, models);
  if (!file) return null;
  const overlay = (layout: PageLayout, scroller: RefObject<HTMLDivElement | null>) => {
    const boxes = placedBoxes({ draft, file, model }, layout, scroller.current?.scrollTop ?? 0, t);
    return <PlacementLayer layout={layout} scroller={scroller} boxes={boxes} {...acts} />;
  };
  return (
    <section ref={section} aria-label={t('confirm.positions')}>
      <h2>{t('confirm.positions')}</h2>
      <div className="confirm">
        <PdfViewer source={{ file: file.file }} sourceKey={file.id} toolbar="full" title={file.name} overlay={overlay} />
        <div>
          <DocumentCard file={file} index={fileIndex} total={draft.files.length} onShow={show} />
          <p>{t('confirm.instructions')}</p>
          {draft.signers.map((signer, index) => (
            <SignerSlot key={signer.id} draft={draft} signer={signer} index={index} onPress={() => press(signer)} />
          ))}
          <p>
            <span className="badge">
              {ready}/{total}
            </span>{' '}
            {t('confirm.progress')}
          </p>
          <p className="visually-hidden" aria-live="polite">
            {announcement}
          </p>
        </div>
      </div>
    </section>
  );
}

interface DocumentCardProps {
  file: DraftFile;
  index: number;
  total: number;
  onShow(index: number): void;
}

/** Which document is shown, and the way to the others. */
function DocumentCard({ file, index, total, onShow }: DocumentCardProps) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <p>
        {t('confirm.documentOf', { number: index + 1, total })}
        <br />
        <strong>{file.name}</strong>
      </p>
      {total > 1 && (
        <div className="two">
          <button type="button" disabled={index === 0} onClick={() => onShow(index - 1)}>
            ‹ {t('paging.previous')}
          </button>
          <button type="button" disabled={index === total - 1} onClick={() => onShow(index + 1)}>
            {t('paging.next')} ›
          </button>
        </div>
      )}
    </div>
  );
}

function SignerSlot({ draft, signer, index, onPress }: { draft: ProcessDraft; signer: SignerDraft; index: number; onPress(): void }) {
  const { t } = useTranslation();
  const button = positionButton(boxStates(draft, signer));
  const placing = signerBoxes(draft, signer).find(({ box }) => box.state === 'placing');
  const unplaced = button === 'fix' && !placing?.box.rect;
  return (
    <div className="signer-slot" style={{ ['--box-line' as string]: signerColor(index).line }}>
      <div>
        <strong>{signer.name}</strong>
        <p className="hint">
          {placing?.box.rect
            ? t('confirm.at', { page: placing.box.page ?? 1, x: placing.box.rect.x.toFixed(0), y: placing.box.rect.y.toFixed(0) })
            : t(unplaced ? 'confirm.place' : `confirm.state.${button}`)}
        </p>
      </div>
      <button
        type="button"
        data-signer={signer.id}
        className={button === 'ready' ? '' : 'primary'}
        disabled={unplaced}
        onClick={onPress}
        aria-label={`${t(`confirm.button.${button}`)} (${signer.name})`}
      >
        {t(`confirm.button.${button}`)}
      </button>
    </div>
  );
}
