import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { deleteDraft, type KeptDraft, listDrafts } from '../creation/process-draft.ts';

/** What was begun and not sent, kept in this browser for a day: offered again. */
export function KeptDrafts() {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<readonly KeptDraft[]>([]);
  useEffect(() => {
    let isShown = true;
    void listDrafts().then((found) => isShown && setDrafts(found));
    return () => {
      isShown = false;
    };
  }, []);
  if (drafts.length === 0) return null;
  const discard = async (id: string) => {
    setDrafts(drafts.filter((draft) => draft.id !== id));
    await deleteDraft(id);
  };
  return (
    <section className="card" aria-label={t('home.drafts')}>
      <h2 className="small">{t('home.drafts')}</h2>
      <ul className="list kept-drafts">
        {drafts.map(({ id, title, fileCount, updatedAt }) => (
          <li key={id}>
            <span className="told grow">
              <strong>{title || t('home.draftUntitled')}</strong>
              <span className="hint">
                {t('home.draftFacts', { count: fileCount, at: formatDateTime(new Date(updatedAt).toISOString()) })}
              </span>
            </span>
            <Link className="button primary" to="/prepare" state={{ draftId: id, action: 'returning' }}>
              {t('home.continueDraft')}
            </Link>
            <button
              type="button"
              className="quiet"
              aria-label={t('home.discardDraftOf', { title: title || t('home.draftUntitled') })}
              onClick={() => void discard(id)}
            >
              {t('home.discardDraft')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
