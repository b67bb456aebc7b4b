import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { NameField } from '../../../ui/name-field.tsx';
import { DrawnStyle } from '../drawn-style.tsx';
import type { SigningPlace } from '../phone-drawing.tsx';
import { ActFoot } from '../act-foot.tsx';
import { StyleTabs } from '../style-tabs.tsx';
import { TypedStyle } from '../typed-style.tsx';
import { UploadedStyle } from '../uploaded-style.tsx';
import { useStyleImages } from '../use-style-images.ts';
import type { Appearance } from './appearance.ts';

const tabs = ['typed', 'drawn', 'uploaded', 'model'] as const;

const missingText = {
  typed: 'digital.fontRequired',
  drawn: 'sign.drawRequired',
  uploaded: 'evidence.imageRequired',
  model: 'evidence.imageRequired',
} as const;

interface StyleProps {
  /** Kept and not shown while a later step is: what was drawn is still there on the way back. */
  hidden: boolean;
  name: string;
  place: SigningPlace;
  /** What the server said of the picture. */
  fault: string | undefined;
  /** Without a place on the pages it shows on the signature page alone, and the model, which asks for nothing, stands first. */
  visible: boolean;
  onNext(appearance: Appearance): void;
  onCancel(): void;
}

/** Step one: how the signature looks. */
export function DigitalStyleStep({ hidden, name: given, place, visible, fault, onNext, onCancel }: StyleProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<(typeof tabs)[number]>(visible ? 'typed' : 'model');
  const [name, setName] = useState(given);
  const { images, keep } = useStyleImages();
  const [tried, setTried] = useState(false);
  const nameless = name.trim() === '';
  const image = tab === 'model' || (tab === 'typed' && nameless) ? null : (images[tab] ?? null);
  function show(next: (typeof tabs)[number]): void {
    if (next === tab) return;
    setTried(false);
    setTab(next);
  }
  function next(): void {
    setTried(true);
    if (tab === 'model') return onNext({ style: 'model', image: null });
    if (image) onNext({ style: image.style, image: image.base64 });
  }
  const missing = tried && !image && tab !== 'model' && !(tab === 'typed' && nameless);
  return (
    <div hidden={hidden}>
      <StyleTabs tabs={tabs} tab={tab} onTab={show}>
        {/* All of them stay: what was made in one is there on the way back. */}
        <div hidden={tab !== 'typed'}>
          <NameField
            label={t('digital.nameToWrite')}
            autoComplete="name"
            value={name}
            onChange={setName}
            error={tried && nameless ? t('evidence.nameRequired') : undefined}
          />
          {!nameless && <TypedStyle name={name.trim()} onImage={keep.typed} />}
        </div>
        <div hidden={tab !== 'drawn'}>
          <DrawnStyle onImage={keep.drawn} place={place} />
        </div>
        <div hidden={tab !== 'uploaded'}>
          <UploadedStyle onImage={keep.uploaded} />
        </div>
        {tab === 'model' && <p>{t('digital.modelText')}</p>}
      </StyleTabs>
      <ActFoot fault={missing ? t(missingText[tab]) : fault}>
        <button type="button" onClick={onCancel}>
          {t('word.cancel')}
        </button>
        <button type="button" className="primary" onClick={next}>
          {t('sign.continue')}
        </button>
      </ActFoot>
    </div>
  );
}
