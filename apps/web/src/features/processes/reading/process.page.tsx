import { followProcess, getProcessStory, getSubDataProcess, type Reply } from '@lavra/api';
import { Link, useParams } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { callAddress } from '../../../lib/api-client.ts';
import { useCall } from '../../../lib/calls.ts';
import { formatDateTime, listNames } from '../../../lib/format.ts';
import { codeText, errorText, retryOf } from '../../../shell/error-text.ts';
import { FilesRemoved } from '../../../shell/files-removed.tsx';
import { Notice, Page } from '../../../shell/page.tsx';
import { ProcessBadge, processEndText } from '../../../shell/status-badge.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { CancelProcess } from './cancel-process.tsx';
import { ProcessDocuments } from './process-documents.tsx';
import { ProcessPeople } from './process-people.tsx';
import { ProcessTimeline } from './process-timeline.tsx';
import { ProgressRing } from './progress-ring.tsx';
import { RepeatProcess } from './repeat-process.tsx';

type Story = Reply<typeof getProcessStory>;
type SubData = Reply<typeof getSubDataProcess>;

/** How often a page of a process that runs looks again where nobody tells it to. */
const POLL_MS = 15_000;
const whileRunning = (story: Story | undefined) => (story?.status === 'IN_PROGRESS' ? POLL_MS : false);

/** Two answers show one page: the end that one tells has to be that of the other too. */
const SOON_MS = 2_000;
const isOfOneMoment = (details?: SubData, story?: Story) => !details || !story || details.status === story.status;

/** `/signature/process/:id`: one process, for who sent it and for whoever was invited. */
export function Component() {
  const { t } = useTranslation();
  const id = useParams()['id'] ?? '';
  const toldBy = () => callAddress(followProcess, { id });
  const story = useCall(getProcessStory, { params: { id } }, { pollAfter: whileRunning, toldBy });
  const details = useCall(
    getSubDataProcess,
    { params: { processId: id } },
    { pollAfter: (reply) => (isOfOneMoment(reply, story.data) ? whileRunning(story.data) : SOON_MS), toldBy },
  );
  const failed = story.error ?? details.error;
  if (failed && !(story.data && details.data))
    return (
      <Page key="error" title={t('home.list')} frame="form">
        <Failed text={errorText(failed, t)} onRetry={retryOf(failed, () => Promise.all([story.refetch(), details.refetch()]))} />
        <BackToList />
      </Page>
    );
  if (!story.data || !details.data)
    return (
      <Page key="wait" title={t('home.list')}>
        <Loading rows={6} />
      </Page>
    );
  return <ProcessPage story={story.data} details={details.data} />;
}

function BackToList() {
  const { t } = useTranslation();
  return (
    <p className="back">
      <Link to="/signature">‹ {t('home.backToList')}</Link>
    </p>
  );
}

function ProcessPage({ story, details }: { story: Story; details: SubData }) {
  const { t } = useTranslation();
  const { id, title, status } = story;
  const { can, documents, signers, stakeholders } = details;
  return (
    <Page key="process" title={title}>
      <BackToList />
      <Head story={story} details={details} />
      {details.problem && <Notice kind="warning">{codeText(details.problem, t, details.problemParams)}</Notice>}
      <div className="process-page">
        <div>
          <section className="card" aria-label={t('home.people')}>
            <h2>{t('home.people')}</h2>
            <ProcessPeople id={id} status={status} signers={signers} />
            {stakeholders.length > 0 && (
              <p className="muted">
                {t('word.stakeholders')}: {stakeholders.map(({ name }) => name).join(', ')}
              </p>
            )}
          </section>
          <section className="card" aria-label={t('word.documents')}>
            <h2>{t('word.documents')}</h2>
            <FilesRemoved date={details.filesRemovedDate} />
            <ProcessDocuments documents={documents} canOpen={details.filesRemovedDate === null} />
          </section>
        </div>
        <section className="card" aria-label={t('home.story')}>
          <h2>{t('home.story')}</h2>
          <ProcessTimeline story={story.story} />
        </section>
      </div>
      <div className={can.cancel ? 'actions' : undefined}>
        <CancelProcess key={id} id={id} title={title} can={can.cancel} />
      </div>
    </Page>
  );
}

/** How it stands at a glance: the ring, whose turn it is, who sent it, until when; how it ended, and what comes of that. */
function Head({ story, details: { signers, can } }: { story: Story; details: SubData }) {
  const { t } = useTranslation();
  const { id, status, dueDate, currentIsOwner, creatorName } = story;
  const signed = signers.filter((signer) => signer.status === 'SIGNED').length;
  const hasOwnDue = signers.some((signer) => signer.dueDate !== null);
  const waiting = status === 'IN_PROGRESS' ? signers.filter((signer) => signer.status === 'SENT').map(({ name }) => name) : [];
  return (
    <section className="card process-head">
      <ProgressRing signed={signed} total={signers.length} />
      <div className="grow">
        <p className="last">
          <ProcessBadge status={status} /> <strong>{t('home.progressOf', { signed, count: signers.length })}</strong>
        </p>
        {waiting.length > 0 && <p className="last">{t('home.waitingFor', { count: waiting.length, names: listNames(waiting) })}</p>}
        <p className="muted last">
          {currentIsOwner ? t('home.sentByYou') : t('home.sentBy', { name: creatorName })} · {formatDateTime(story.createdDate)} ·{' '}
          {dueDate === null ? t(hasOwnDue ? 'home.dueEach' : 'home.noDue') : t('home.dueAt', { at: formatDateTime(dueDate) })}
        </p>
        <EndOf story={story} signers={signers} />
        {(can.download || can.repeat) && (
          <div className="actions">
            {can.download && (
              <Link className="button primary" to={`/download/${id}`}>
                {t('word.download')}
              </Link>
            )}
            {can.repeat && <RepeatProcess key={id} id={id} />}
          </div>
        )}
      </div>
    </section>
  );
}

function EndOf({ story, signers }: { story: Story; signers: SubData['signers'] }) {
  const { t } = useTranslation();
  const rejected = signers.find(({ status }) => status === 'REJECTED');
  const end = processEndText(story.status, story.endedBy, story.finalizedDate, t);
  if (end === null) return null;
  return (
    <>
      <p className="process-end">{end}</p>
      {rejected?.rejectCause && <p className="person-reason">{t('home.reason', { cause: rejected.rejectCause })}</p>}
    </>
  );
}
