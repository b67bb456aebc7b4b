import { deleteSignatureModel, type OwnSignatureModel } from '@lavra/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { signatureModelsKey, useSignatureModels } from '../../lib/signature-models.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StampPreview } from '../../pdf/stamp-preview.tsx';

export function Component() {
  const { t } = useTranslation();
  const arrived = (useLocation().state ?? {}) as { message?: string };
  const { data: models, isError } = useSignatureModels();
  const [words, setWords] = useState('');
  const [message, setMessage] = useState(arrived.message);
  const [deleting, setDeleting] = useState<OwnSignatureModel | null>(null);
  const shown = models?.filter(({ name }) => plain(name).includes(plain(words.trim())));
  return (
    <Page title={t('models.title')}>
      {message && <Notice kind="success">{t(message)}</Notice>}
      <section className="card" aria-label={t('models.title')}>
        <div className="list-head">
          <input
            type="search"
            aria-label={t('models.filter')}
            placeholder={t('models.filter')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <Link className="button primary" to="/register-signature-model">
            <Icon name="plus" /> {t('models.add')}
          </Link>
        </div>
        {isError && <Notice kind="error">{t('models.listFailed')}</Notice>}
        {!models && !isError && <p>{t('shell.loading')}</p>}
        {shown && shown.length > 0 && <ModelTable models={shown} onDelete={setDeleting} />}
        {shown?.length === 0 && (
          <div className="empty">
            <p>{t(models?.length === 0 ? 'models.empty' : 'models.emptyFiltered')}</p>
          </div>
        )}
      </section>
      {deleting && (
        <DeleteDialog
          model={deleting}
          onClose={(deleted) => {
            setDeleting(null);
            if (deleted) setMessage('models.deleted');
          }}
        />
      )}
    </Page>
  );
}

/** For searching: neither case nor accents matter. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function ModelTable({ models, onDelete }: { models: readonly OwnSignatureModel[]; onDelete(model: OwnSignatureModel): void }) {
  const { t } = useTranslation();
  return (
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">{t('models.name')}</th>
          <th scope="col">{t('models.preview')}</th>
          <th scope="col">{t('models.actions')}</th>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <tr key={model.id}>
            <td data-label={t('models.name')}>
              <strong>{model.name}</strong>
            </td>
            <td className="model-thumb" aria-hidden="true">
              <Thumbnail model={model} />
            </td>
            <td>
              <div className="actions">
                <Link
                  className="button"
                  to="/register-signature-model"
                  state={{ modeIdUpdate: model.id }}
                  aria-label={t('models.editOf', { name: model.name })}
                >
                  {t('models.edit')}
                </Link>
                <button type="button" aria-label={t('models.deleteOf', { name: model.name })} onClick={() => onDelete(model)}>
                  {t('models.delete')}
                </button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Pixels. */
const thumb = { width: 180, height: 90 };

function Thumbnail({ model }: { model: OwnSignatureModel }) {
  const { t } = useTranslation();
  const zoom = Math.min(thumb.width / model.width, thumb.height / model.height);
  return (
    <div className="stamp-paper" style={{ width: model.width * zoom, height: model.height * zoom }}>
      <StampPreview model={model} name={t('models.sampleName')} zoom={zoom} />
    </div>
  );
}

function DeleteDialog({ model, onClose }: { model: OwnSignatureModel; onClose(deleted: boolean): void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  async function confirm(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await callApi(deleteSignatureModel, { params: { id: model.id } });
      await queries.invalidateQueries({ queryKey: signatureModelsKey });
      onClose(true);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }
  return (
    <Dialog title={t('models.deleteTitle')} closeLabel={t('dialog.close')} busy={busy} onClose={() => onClose(false)}>
      <p>{t('models.deleteQuestion', { name: model.name })}</p>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={() => onClose(false)}>
          {t('models.keep')}
        </button>
        <button type="button" className="danger" disabled={busy} onClick={() => void confirm()}>
          {t('models.delete')}
        </button>
      </div>
    </Dialog>
  );
}
