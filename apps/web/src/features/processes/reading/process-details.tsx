import { getSubDataProcess, type ProcessListItem, type Reply } from '@lavra/api';
import { Link } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { useCall } from '../../../lib/calls.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { codeText } from '../../../shell/error-text.ts';
import { FilesRemoved } from '../../../shell/files-removed.tsx';
import { Notice } from '../../../shell/page.tsx';
import { CancelProcess } from './cancel-process.tsx';
import { ProcessDocuments } from './process-documents.tsx';
import { ProcessPeople } from './process-people.tsx';
import { RepeatProcess } from './repeat-process.tsx';

type SubData = Reply<typeof getSubDataProcess>;

interface DetailsProps {
  item: ProcessListItem;
  /** Until when it may be signed, in the row's words. */
  due: string;
}

/** What an opened row shows: dates, signers, documents, and what may be done. */
export function ProcessDetails({ item, due }: DetailsProps) {
  const { t } = useTranslation();
  const { data, isError } = useCall(getSubDataProcess, { params: { processId: item.id } });
  if (isError) return <Notice kind="error">{t('home.loadFailed')}</Notice>;
  if (!data) return <div className="skeleton" aria-hidden="true" />;
  return (
    <div className="inner">
      {data.problem && <Notice kind="warning">{codeText(data.problem, t, data.problemParams)}</Notice>}
      <ProcessFacts item={item} due={due} stakeholders={data.stakeholders} />
      <h2 className="small">{t('word.signers')}</h2>
      <ProcessPeople id={item.id} status={item.status} signers={data.signers} />
      <h2 className="small">{t('word.documents')}</h2>
      <FilesRemoved date={data.filesRemovedDate} />
      <ProcessDocuments documents={data.documents} canOpen={data.filesRemovedDate === null} />
      <div className="actions">
        {item.can.repeat && <RepeatProcess id={item.id} />}
        <CancelProcess id={item.id} title={item.title} can={item.can.cancel} />
        {item.can.download && (
          <Link className="button" to={`/download/${item.id}`}>
            {t('word.download')}
          </Link>
        )}
      </div>
    </div>
  );
}

function ProcessFacts({ item, due, stakeholders }: DetailsProps & { stakeholders: SubData['stakeholders'] }) {
  const { t } = useTranslation();
  return (
    <dl className="facts">
      <dt>{t('home.column.createdDate')}</dt>
      <dd>{formatDateTime(item.createdDate)}</dd>
      <dt>{t('home.column.dueDate')}</dt>
      <dd>{due}</dd>
      <dt>{t('home.finished')}</dt>
      <dd>{formatDateTime(item.finalizedDate)}</dd>
      {stakeholders.length > 0 && (
        <>
          <dt>{t('word.stakeholders')}</dt>
          <dd>{stakeholders.map(({ name }) => name).join(', ')}</dd>
        </>
      )}
    </dl>
  );
}
