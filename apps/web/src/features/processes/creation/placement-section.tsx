import { displaySize, freePlace, positionButton, pressPositionButton, type SignatureModel, toDisplay, toUserSpace } from '@lavra/domain';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignatureModels } from '../../../lib/signature-models.ts';
import type { PageLayout } from '../../../pdf/page-layout.ts';
import { PdfViewer } from '../../../pdf/pdf-viewer.tsx';
import { StampPreview } from '../../../pdf/stamp-preview.tsx';
import { type BoxPlace, type PlacedBox, PlacementLayer } from '../../../pdf/placement-layer.tsx';
import { boxProgress, boxStates, fileBoxes, pressedBoxes, signerBoxes, signerColor } from './draft-boxes.ts';
import { chosenModel } from './draft-model.ts';
import type { DraftBox, ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';

interface PlacementProps {
  draft: ProcessDraft;
  update: UpdateDraft;
}

/** The document with the boxes on it, and beside it whose box is where. */
export function PlacementSection({ draft, update }: PlacementProps) {
  const { t } = useTranslation();
  const [fileIndex, setFileIndex] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const section = useRef<HTMLElement>(null);
  const file = draft.files[fileIndex] ?? draft.files[0];
  const { ready, total } = boxProgress(draft);
  const { data: models } = useSignatureModels();
  const model = chosenModel(draft, models);
  if (!file) return null;

  const setBox = (key: string, box: DraftBox) => update((latest) => ({ boxes: { ...latest.boxes, [key]: box } }));
  const at = ({ page, rect }: BoxPlace) => t('confirm.at', { page, x: rect.x.toFixed(0), y: rect.y.toFixed(0) });
  const press = (signer: SignerDraft) => {
    const changes = pressedBoxes(draft, signer, pressPositionButton(boxStates(draft, signer)));
    update((latest) => ({ boxes: { ...latest.boxes, ...changes } }));
    const started = signerBoxes(draft, signer).find(({ key }) => changes[key]?.state === 'placing');
    if (!started) return;
    setFileIndex(draft.files.indexOf(started.file));
    // On a phone the pages are above the button that was pressed; from the keyboard the arrows go on at once.
    takeFocus(section.current, '.viewer .box-placing');
  };
  const moved = (key: string, place: BoxPlace, settled: boolean) => {
    update((latest) => ({ boxes: { ...latest.boxes, [key]: { state: latest.boxes[key]?.state ?? 'placing', ...place } } }));
    if (settled) setAnnouncement(at(place));
  };
  const done = (key: string, place: BoxPlace, by: 'pointer' | 'keyboard') => {
    setBox(key, { state: 'ready', ...place });
    setAnnouncement(`${t('confirm.fixed')} ${at(place)}`);
    if (by === 'keyboard') section.current?.querySelector<HTMLElement>(`[data-signer="${key.split('/')[0]}"]`)?.focus();
  };
  const cancel = (key: string) => {
    setBox(key, { state: 'idle', page: null, rect: null });
    setAnnouncement(t('confirm.cancelled'));
    section.current?.querySelector<HTMLElement>(`[data-signer="${key.split('/')[0]}"]`)?.focus();
  };
  const overlay = (layout: PageLayout, scroller: RefObject<HTMLDivElement | null>) => {
    const placed = draft.signers.flatMap((signer) =>
      fileBoxes(draft, signer, file).flatMap(({ box: { page, rect } }) => (page !== null && rect !== null ? [{ page, rect }] : [])),
    );
    const boxes: PlacedBox[] = draft.signers.flatMap((signer, index) =>
      fileBoxes(draft, signer, file).flatMap(({ key, box, repetition }) => {
        if (box.state === 'idle') return [];
        const place =
          box.page !== null && box.rect !== null
            ? { page: box.page, rect: box.rect }
            : startPlace(model, layout, scroller.current?.scrollTop ?? 0, placed);
        if (!place) return [];
        return [
          {
            key,
            label: t('confirm.boxLabel', {
              name: signer.name,
              number: repetition + 1,
              page: place.page,
              x: place.rect.x.toFixed(0),
              y: place.rect.y.toFixed(0),
            }),
            color: signerColor(index),
            state: box.state,
            ...place,
            content: <StampPreview name={signer.name} zoom={layout.zoom} model={model} />,
          },
        ];
      }),
    );
    return <PlacementLayer layout={layout} scroller={scroller} boxes={boxes} onMove={moved} onDone={done} onCancel={cancel} />;
  };

  return (
    <section ref={section} aria-label={t('confirm.positions')}>
      <h2>{t('confirm.positions')}</h2>
      <div className="confirm">
        <PdfViewer source={{ file: file.file }} sourceKey={file.id} toolbar="full" title={file.name} overlay={overlay} />
        <div>
          <div className="card">
            <p>
              {t('confirm.documentOf', { number: fileIndex + 1, total: draft.files.length })}
              <br />
              <strong>{file.name}</strong>
            </p>
            {draft.files.length > 1 && (
              <div className="two">
                <button type="button" disabled={fileIndex === 0} onClick={() => setFileIndex(fileIndex - 1)}>
                  ‹ {t('paging.previous')}
                </button>
                <button type="button" disabled={fileIndex === draft.files.length - 1} onClick={() => setFileIndex(fileIndex + 1)}>
                  {t('paging.next')} ›
                </button>
              </div>
            )}
          </div>
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

/** Until it is first touched a new box stays in sight, near the top of what is shown of its page, upright as the reader sees it, on no other box. */
function startPlace(model: SignatureModel, layout: PageLayout, scrollTop: number, placed: readonly BoxPlace[]): BoxPlace | null {
  const page = layout.pages.find((one) => one.top + one.height - model.height * layout.zoom > scrollTop) ?? layout.pages.at(-1);
  if (!page) return null;
  const size = displaySize(page.geometry);
  const width = Math.min(model.width, size.width);
  const height = Math.min(model.height, size.height);
  const shown = Math.max(0, (scrollTop - page.top) / layout.zoom);
  const taken = placed.filter((one) => one.page === page.number).map(({ rect }) => toDisplay(rect, page.geometry));
  const place = freePlace({ u: 40, v: shown + 60, width, height }, taken, page.geometry);
  return { page: page.number, rect: toUserSpace(place, page.geometry) };
}
