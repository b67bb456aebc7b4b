import '@fontsource/caveat/latin-400.css';
import '@fontsource/dancing-script/latin-400.css';
import '@fontsource/great-vibes/latin-400.css';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DrawnStyle } from './drawn-style.tsx';
import { scriptFonts, type SignatureImage, typedSignature } from './signature-image.ts';
import { UploadedStyle } from './uploaded-style.tsx';

const tabs = ['typed', 'drawn', 'uploaded'] as const;
const moves: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** How the signature looks: typed in a script font, drawn, or a picture. Typing is the way for those who cannot draw. */
export function StyleStep({ name, onImage }: { name: string; onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<(typeof tabs)[number]>('typed');
  function show(next: (typeof tabs)[number]): void {
    if (next === tab) return;
    onImage(null);
    setTab(next);
  }
  function move(event: KeyboardEvent): void {
    const step = moves[event.key];
    if (step === undefined) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? 'typed';
    show(next);
    document.getElementById(`tab-${next}`)?.focus();
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={t('sign.style')} onKeyDown={move}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={tab === one}
            tabIndex={tab === one ? 0 : -1}
            aria-controls="style-panel"
            onClick={() => show(one)}
          >
            {t(`sign.${one}`)}
          </button>
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

/** The longest names still fit a card of a narrow phone: letters get smaller with their number. */
function TypedStyle({ name, onImage }: { name: string; onImage(image: SignatureImage): void }) {
  const { t } = useTranslation();
  const [font, setFont] = useState<string | null>(null);
  function choose(chosen: string): void {
    setFont(chosen);
    void typedSignature(name, chosen).then(onImage);
  }
  const fontSize = `clamp(9px, ${(165 / Math.max(4, name.length)).toFixed(1)}cqw, 40px)`;
  return scriptFonts.map((one, index) => (
    <button
      key={one}
      type="button"
      className="script-choice"
      aria-pressed={font === one}
      aria-label={t('sign.font', { number: index + 1, name })}
      style={{ fontFamily: `'${one}', cursive`, fontSize }}
      onClick={() => choose(one)}
    >
      {name}
    </button>
  ));
}
