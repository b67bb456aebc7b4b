import '@fontsource/great-vibes/latin-400.css';
import { clampToPage, defaultElectronicModel, displaySize, fillModelText, positionButton, pressPositionButton, type Rect, toUserSpace } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageLayout } from '../../pdf/page-layout.ts';
import { PdfViewer } from '../../pdf/pdf-viewer.tsx';
import { type PlacedBox, PlacementLayer } from '../../pdf/placement-layer.tsx';
import { boxProgress, boxStates, fileBoxes, signerBoxes, signerColor } from './draft-boxes.ts';
import type { DraftBox, ProcessDraft, SignerDraft } from './process-draft.ts';

const { width: BOX_WIDTH, height: BOX_HEIGHT } = defaultElectronicModel;

interface PlacementProps {
  draft: ProcessDraft;
  update(change: Partial<ProcessDraft>): void;
}

/** The document with the boxes on it, and beside it whose box is where. */
export function PlacementSection({ draft, update }: PlacementProps) {
  const { t } = useTranslation();
  const [fileIndex, setFileIndex] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const file = draft.files[fileIndex] ?? draft.files[0];
  const { ready, total } = boxProgress(draft);
  if (!file) return null;

  const setBoxes = (changes: Record<string, DraftBox>) => update({ boxes: { ...draft.boxes, ...changes } });
  const setBox = (key: string, change: Partial<DraftBox>) => setBoxes({ [key]: { ...(draft.boxes[key] ?? { state: 'placing', page: null, rect: null }), ...change } });
  const press = (signer: SignerDraft) => {
    const boxes = signerBoxes(draft, signer);
    const states = pressPositionButton(boxStates(draft, signer));
    const changes: Record<string, DraftBox> = {};
    boxes.forEach(({ key, box }, index) => {
      const state = states[index] ?? 'idle';
      changes[key] = state === 'idle' ? { state, page: null, rect: null } : { ...box, state };
    });
    // Only one box is being placed at a time, whoever's it is.
    for (const other of draft.signers.filter(({ id }) => id !== signer.id)) {
      for (const { key, box } of signerBoxes(draft, other)) if (box.state === 'placing') changes[key] = { ...box, state: box.rect ? 'ready' : 'idle' };
    }
    const started = boxes.find(({ key }) => changes[key]?.state === 'placing');
    if (started) {
      setFileIndex(draft.files.indexOf(started.file));
      // On a phone the pages are above the button that was pressed.
      document.querySelector('.viewer')?.scrollIntoView({ block: 'center' });
    }
    setBoxes(changes);
  };
  const moved = (key: string, page: number, rect: Rect) => {
    setBox(key, { page, rect });
    setAnnouncement(t('confirm.at', { page, x: rect.x.toFixed(0), y: rect.y.toFixed(0) }));
  };

  const overlay = (layout: PageLayout, scroller: React.RefObject<HTMLDivElement | null>) => {
    const boxes: PlacedBox[] = draft.signers.flatMap((signer, index) =>
      fileBoxes(draft, signer, file).flatMap(({ key, box, repetition }) => {
        if (box.state === 'idle') return [];
        const place = box.page !== null && box.rect !== null ? { page: box.page, rect: box.rect } : startPlace(layout, scroller.current?.scrollTop ?? 0, index, repetition);
        if (!place) return [];
        const { page, rect } = place;
        return [{ key, label: t('confirm.boxLabel', { name: signer.name, number: repetition + 1, page, x: rect.x.toFixed(0), y: rect.y.toFixed(0) }), color: signerColor(index), state: box.state, page, rect, content: <StampPreview name={signer.name} zoom={layout.zoom} /> }];
      }),
    );
    return <PlacementLayer layout={layout} scroller={scroller} boxes={boxes} onMove={moved} onDone={(key) => finish(key, boxes)} onReopen={(key) => setBox(key, { state: 'placing' })} />;
  };
  const finish = (key: string, boxes: readonly PlacedBox[]) => {
    const shown = boxes.find((box) => box.key === key);
    update({ boxes: { ...draft.boxes, [key]: { state: 'ready', page: draft.boxes[key]?.page ?? shown?.page ?? 1, rect: draft.boxes[key]?.rect ?? shown?.rect ?? null } } });
    setAnnouncement(t('confirm.fixed'));
  };

  return (
    <section aria-label={t('confirm.positions')}>
      <h2>{t('confirm.positions')}</h2>
      <div className="confirm">
        <PdfViewer source={{ file: file.file }} sourceKey={file.id} toolbar="full" title={file.name} overlay={overlay} />
        <div>
          <div className="card">
            <p>{t('confirm.documentOf', { number: fileIndex + 1, total: draft.files.length })}<br /><strong>{file.name}</strong></p>
            {draft.files.length > 1 && (
              <div className="two">
                <button type="button" disabled={fileIndex === 0} onClick={() => setFileIndex(fileIndex - 1)}>‹ {t('paging.previous')}</button>
                <button type="button" disabled={fileIndex === draft.files.length - 1} onClick={() => setFileIndex(fileIndex + 1)}>{t('paging.next')} ›</button>
              </div>
            )}
          </div>
          <p>{t('confirm.instructions')}</p>
          {draft.signers.map((signer, index) => <SignerSlot key={signer.id} draft={draft} signer={signer} index={index} onPress={() => press(signer)} />)}
          <p><span className="badge">{ready}/{total}</span> {t('confirm.progress')}</p>
          <p className="visually-hidden" aria-live="polite">{announcement}</p>
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
          {placing?.box.rect ? t('confirm.at', { page: placing.box.page ?? 1, x: placing.box.rect.x.toFixed(0), y: placing.box.rect.y.toFixed(0) }) : t(unplaced ? 'confirm.place' : `confirm.state.${button}`)}
        </p>
      </div>
      <button type="button" className={button === 'ready' ? '' : 'primary'} disabled={unplaced} onClick={onPress} aria-label={`${t(`confirm.button.${button}`)} (${signer.name})`}>
        {t(`confirm.button.${button}`)}
      </button>
    </div>
  );
}

/** What the signed box will show, with what is known of the signer today. */
function StampPreview({ name, zoom }: { name: string; zoom: number }) {
  const text = fillModelText(defaultElectronicModel.customText, { name, cpf: '***.000.000-**', date: 'DD/MM/AAAA HH:mm:ss' });
  return (
    <span>
      <em style={{ fontSize: 18 * zoom }}>{name}</em>
      <small style={{ fontSize: defaultElectronicModel.textFontSize * zoom }}>{text}</small>
    </span>
  );
}

/** Until it is first touched a new box stays in sight, near the top of what is shown of its page, upright as the reader sees it. */
function startPlace(layout: PageLayout, scrollTop: number, index: number, repetition: number): { page: number; rect: Rect } | null {
  const page = layout.pages.find((one) => one.top + one.height - BOX_HEIGHT * layout.zoom > scrollTop) ?? layout.pages.at(-1);
  if (!page) return null;
  const size = displaySize(page.geometry);
  const width = Math.min(BOX_WIDTH, size.width);
  const height = Math.min(BOX_HEIGHT, size.height);
  const shown = Math.max(0, (scrollTop - page.top) / layout.zoom);
  const wanted = { u: 40 + (index % 3) * (width + 20), v: shown + 60 + repetition * (height + 10), width, height };
  return { page: page.number, rect: toUserSpace(clampToPage(wanted, page.geometry), page.geometry) };
}
