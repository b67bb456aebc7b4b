import '@fontsource/caveat/latin-400.css';
import '@fontsource/dancing-script/latin-400.css';
import '@fontsource/great-vibes/latin-400.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import SignaturePad from 'signature_pad';
import { Notice } from '../../shell/page.tsx';
import { pngBase64, scriptFonts, type SignatureImage, trimmed, typedSignature, uploadedSignature } from './signature-image.ts';

const tabs = ['typed', 'drawn', 'uploaded'] as const;

/** How the signature looks: typed in a script font, drawn, or a picture. Typing is the way for those who cannot draw. */
export function StyleStep({ name, onImage }: { name: string; onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<(typeof tabs)[number]>('typed');
  return (
    <>
      <div className="tabs" role="tablist" aria-label={t('sign.style')}>
        {tabs.map((one) => (
          <button key={one} type="button" role="tab" id={`tab-${one}`} aria-selected={tab === one} aria-controls="style-panel" onClick={() => { onImage(null); setTab(one); }}>{t(`sign.${one}`)}</button>
        ))}
      </div>
      <div id="style-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'typed' && <TypedStyle name={name} onImage={onImage} />}
        {tab === 'drawn' && <DrawnStyle onImage={onImage} />}
        {tab === 'uploaded' && <UploadedStyle onImage={onImage} />}
      </div>
    </>
  );
}

function TypedStyle({ name, onImage }: { name: string; onImage(image: SignatureImage): void }) {
  const { t } = useTranslation();
  const [font, setFont] = useState<string | null>(null);
  const choose = (chosen: string) => {
    setFont(chosen);
    void typedSignature(name, chosen).then(onImage);
  };
  return scriptFonts.map((one, index) => (
    <button key={one} type="button" className="script-choice" aria-pressed={font === one} aria-label={t('sign.font', { number: index + 1, name })} style={{ fontFamily: `'${one}', cursive` }} onClick={() => choose(one)}>{name}</button>
  ));
}

function DrawnStyle({ onImage }: { onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const density = Math.max(1, window.devicePixelRatio || 1);
    element.width = element.clientWidth * density;
    element.height = element.clientHeight * density;
    element.getContext('2d')?.scale(density, density);
    const made = new SignaturePad(element, { penColor: '#12284b', minWidth: 0.8, maxWidth: 2.6 });
    made.addEventListener('endStroke', () => onImage({ base64: pngBase64(trimmed(element)), style: 'drawn' }));
    pad.current = made;
    return () => made.off();
  }, [onImage]);
  const clear = () => {
    pad.current?.clear();
    onImage(null);
  };
  return (
    <>
      <p className="hint">{t('sign.drawHint')}</p>
      <canvas ref={canvas} className="pad" role="img" aria-label={t('sign.drawArea')} />
      <button type="button" className="quiet" onClick={clear}>{t('sign.clear')}</button>
    </>
  );
}

function UploadedStyle({ onImage }: { onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const [preview, setPreview] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  async function read(file: File | undefined): Promise<void> {
    if (!file) return;
    const result = await uploadedSignature(file);
    setFault(typeof result === 'string' ? result : null);
    setPreview(typeof result === 'string' ? null : `data:image/png;base64,${result.base64}`);
    onImage(typeof result === 'string' ? null : result);
  }
  return (
    <>
      <label><span className="legend">{t('sign.choose')}</span><input type="file" accept="image/png,image/jpeg" onChange={(event) => void read(event.target.files?.[0])} /></label>
      <p className="hint">{t('sign.uploadHint')}</p>
      {fault && <Notice kind="error">{t(fault)}</Notice>}
      {preview && <img className="preview-image" src={preview} alt={t('sign.preview')} />}
    </>
  );
}
