import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../shell/page.tsx';
import { NameField } from '../../../ui/name-field.tsx';
import { DrawnStyle } from '../drawn-style.tsx';
import type { SignatureImage } from '../signature-image.ts';
import { StyleTabs } from '../style-tabs.tsx';
import { TypedStyle } from '../typed-style.tsx';
import { UploadedStyle } from '../uploaded-style.tsx';
import type { Appearance } from './appearance.ts';

const tabs = ['typed', 'drawn', 'uploaded', 'model'] as const;

interface StyleProps {
  /** Kept and not shown while a later step is: what was drawn is still there on the way back. */
  hidden: boolean;
  name: string;
  /** Without a visible box the model, which asks for nothing, stands first. */
  visible: boolean;
  onNext(appearance: Appearance): void;
  onCancel(): void;
}

/** Step one: how the signature looks. */
export function DigitalStyleStep({ hidden, name: given, visible, onNext, onCancel }: StyleProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<(typeof tabs)[number]>(visible ? 'typed' : 'model');
  const [name, setName] = useState(given);
  const [image, setImage] = useState<SignatureImage | null>(null);
  const [tried, setTried] = useState(false);
  const keepImage = useCallback((next: SignatureImage | null) => setImage(next), []);
  const nameless = name.trim() === '';
  function show(next: (typeof tabs)[number]): void {
    if (next === tab) return;
    setImage(null);
    setTried(false);
    setTab(next);
  }
  function next(): void {
    setTried(true);
    if (tab === 'model') return onNext({ style: 'model', image: null });
    if (image) onNext({ style: image.style, image: image.base64 });
  }
  return (
    <div hidden={hidden}>
      <StyleTabs tabs={tabs} tab={tab} onTab={show}>
        {tab === 'typed' && (
          <>
            <NameField
              label={t('digital.nameToWrite')}
              autoComplete="name"
              value={name}
              onChange={setName}
              error={tried && nameless ? t('evidence.nameRequired') : undefined}
            />
            {!nameless && <TypedStyle name={name.trim()} onImage={keepImage} />}
          </>
        )}
        {tab === 'drawn' && <DrawnStyle onImage={keepImage} />}
        {tab === 'uploaded' && <UploadedStyle onImage={keepImage} />}
        {tab === 'model' && <p>{t('digital.modelText')}</p>}
      </StyleTabs>
      {!visible && <p className="hint">{t('digital.invisible')}</p>}
      {tried && tab !== 'model' && !image && !(tab === 'typed' && nameless) && (
        <Notice kind="error">{t(tab === 'typed' ? 'digital.fontRequired' : 'evidence.imageRequired')}</Notice>
      )}
      <div className="actions actions-end">
        <button type="button" onClick={onCancel}>
          {t('prepare.cancel')}
        </button>
        <button type="button" className="primary" onClick={next}>
          {t('sign.continue')}
        </button>
      </div>
    </div>
  );
}
