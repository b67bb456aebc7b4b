import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Notice } from '../../shell/page.tsx';
import { type SignatureImage, uploadedSignature } from './signature-image.ts';

/** A photo or scan of a signature on paper, cleaned on this device before anything is sent. */
export function UploadedStyle({ onImage }: { onImage(image: SignatureImage | null): void }) {
  const { t } = useTranslation();
  const [preview, setPreview] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  async function read(file: File | undefined): Promise<void> {
    if (!file) return;
    const result = await uploadedSignature(file);
    const refused = typeof result === 'string';
    setFault(refused ? result : null);
    setPreview(refused ? null : `data:image/png;base64,${result.base64}`);
    onImage(refused ? null : result);
  }
  return (
    <>
      <label className="button file-button">
        {t('word.chooseFile')}
        <input
          type="file"
          className="visually-hidden"
          accept="image/png,image/jpeg"
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
      <p className="hint">{t('sign.uploadHint')}</p>
      {fault && <Notice kind="error">{t(fault)}</Notice>}
      {preview && <img className="preview-image" src={preview} alt={t('sign.preview')} />}
    </>
  );
}
