import '@fontsource/caveat/latin-400.css';
import '@fontsource/dancing-script/latin-400.css';
import '@fontsource/great-vibes/latin-400.css';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { scriptFonts, type SignatureImage, typedSignature } from './signature-image.ts';

/** The longest names still fit a card of a narrow phone: letters get smaller with their number. */
export function TypedStyle({ name, onImage }: { name: string; onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const [font, setFont] = useState<string>(scriptFonts[0]);
  useEffect(() => {
    let latest = true;
    onImage(null);
    if (name !== '') void typedSignature(name, font).then((image) => latest && onImage(image));
    return () => {
      latest = false;
    };
  }, [font, name, onImage]);
  const fontSize = `clamp(9px, ${(165 / Math.max(4, name.length)).toFixed(1)}cqw, 40px)`;
  return scriptFonts.map((one, index) => (
    <button
      key={one}
      type="button"
      className="script-choice"
      aria-pressed={font === one}
      aria-label={t('sign.font', { number: index + 1, name })}
      style={{ fontFamily: `'${one}', cursive`, fontSize }}
      onClick={() => setFont(one)}
    >
      {name}
    </button>
  ));
}
