import { useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useDefaultElectronicModel, useSignatureModels } from '../../../lib/signature-models.ts';
import { standingBoxes } from './covered-boxes.ts';
import { ConfirmPeople } from './confirm-people.tsx';
import { DocumentPages } from './document-pages.tsx';
import { chosenModel } from './draft-model.ts';
import { DraftSummary } from './draft-summary.tsx';
import { ModalityChoice } from './modality-choice.tsx';
import { PageStrip } from './page-strip.tsx';
import type { DraftFile, ProcessDraft, UpdateDraft } from './process-draft.ts';
import { useBoxPlacement } from './use-box-placement.ts';
import { useCovered } from './use-covered.ts';

interface WorkspaceProps {
  draft: ProcessDraft;
  update: UpdateDraft;
}

/** The document first, as high as the window; beside it how it is signed, by whom and where. */
export function Workspace({ draft, update }: WorkspaceProps) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const [fileIndex, show] = useState(0);
  const [target, setTarget] = useState<{ page: number } | null>(null);
  const file = draft.files[fileIndex] ?? draft.files[0];
  const placement = useBoxPlacement({ draft, update, section, file, show });
  const covered = useCovered(draft, file);
  const { data: models } = useSignatureModels();
  const { model: electronic } = useDefaultElectronicModel(draft.visible && draft.modality === 'electronic');
  if (!file) return null;
  const isPlacing = draft.visible && draft.modality !== null;
  const marked = new Set(isPlacing ? standingBoxes(draft, file).map(({ page }) => page) : []);
  return (
    <section ref={section} className={isPlacing ? 'confirm' : 'confirm confirm-unplaced'} aria-label={t('confirm.positions')}>
      <div className="confirm-pages">
        <DocumentBar file={file} index={fileIndex} total={draft.files.length} onShow={show} />
        <PageStrip key={file.id} file={file} marked={marked} onGo={(page) => setTarget({ page })} />
        <DocumentPages
          draft={draft}
          file={file}
          model={chosenModel(draft, models, electronic)}
          target={target}
          onPut={placement.put}
          {...placement}
        />
      </div>
      <div className="confirm-facts">
        <section className="card">
          <ModalityChoice draft={draft} update={update} />
        </section>
        <DraftSummary draft={draft} />
      </div>
      <ConfirmPeople {...{ draft, update, file, covered }} placement={isPlacing ? placement : null} />
      <p className="visually-hidden" aria-live="polite">
        {placement.announcement}
      </p>
    </section>
  );
}

interface DocumentBarProps {
  file: DraftFile;
  index: number;
  total: number;
  onShow(index: number): void;
}

/** Which document is shown, and the way to the others. */
function DocumentBar({ file, index, total, onShow }: DocumentBarProps) {
  const { t } = useTranslation();
  return (
    <div className="document-bar">
      <strong>{file.name}</strong>
      {total > 1 && (
        <>
          <button
            type="button"
            className="icon-button"
            disabled={index === 0}
            aria-label={t('confirm.previousDocument')}
            onClick={() => onShow(index - 1)}
          >
            ‹
          </button>
          <span>{t('confirm.documentOf', { number: index + 1, total })}</span>
          <button
            type="button"
            className="icon-button"
            disabled={index === total - 1}
            aria-label={t('confirm.nextDocument')}
            onClick={() => onShow(index + 1)}
          >
            ›
          </button>
        </>
      )}
    </div>
  );
}
