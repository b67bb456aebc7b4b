import { type OwnSignatureModel, signatureModels } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useTranslation } from '../../lib/i18n.ts';
import type { EntityView } from '../../entities/entity-view.ts';
import { StampPreview } from '../../pdf/stamp-preview.tsx';
import { ModelEditor } from './model-editor.tsx';

/** What signatures look like (section 2). */
export const view: EntityView<typeof signatureModels> = {
  entity: signatureModels,
  address: '/signature-model',
  words: 'models',
  hasAbout: true,
  fields: [{ name: 'name', maxLength: limits.nameMax }],
  columns: [{ key: 'preview', cell: (model) => <Thumbnail model={model} /> }],
  form: { Editor: ModelEditor },
};

/** Pixels. */
const thumb = { width: 180, height: 90 };

function Thumbnail({ model }: { model: OwnSignatureModel }) {
  const { t } = useTranslation();
  const zoom = Math.min(thumb.width / model.width, thumb.height / model.height);
  return (
    <div className="stamp-paper" aria-hidden="true" style={{ width: model.width * zoom, height: model.height * zoom }}>
      <StampPreview model={model} name={t('models.sampleName')} zoom={zoom} />
    </div>
  );
}
