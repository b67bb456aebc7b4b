import type { getProcessStory, Reply } from '@lavra/api';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatDateTime } from '../../../lib/format.ts';

type Line = Reply<typeof getProcessStory>['story'][number];

/** Of the evidence what people ask about; what the platform did to the files stands in the report. */
const untold: readonly string[] = [
  'document.prepared',
  'signer.consented',
  'signer.evidenceRegistered',
  'process.sealed',
  'process.extended',
  'process.filesRemoved',
];

function keyOf({ type, otherName, to }: Line): string {
  if (type === 'link.handedOut' && to === 'creator') return 'story.link.handedOutToCreator';
  return `story.${type}${otherName === null ? '' : 'As'}`;
}

/** What happened to a process, the newest first, in plain words. */
export function ProcessTimeline({ story }: { story: readonly Line[] }) {
  const { t, i18n } = useTranslation();
  const told = story.filter((line) => !untold.includes(line.type) && i18n.exists(keyOf(line))).toReversed();
  return (
    <ol className="timeline">
      {told.map((line) => (
        <li key={`${line.at} ${line.type} ${line.name}`} className={`timeline-${line.type.replaceAll('.', '-')}`}>
          <span>{t(keyOf(line), { name: line.name, other: line.otherName ?? '' })}</span>
          {line.cause !== null && <span className="person-reason">{t('home.reason', { cause: line.cause })}</span>}
          <time dateTime={line.at} className="muted">
            {formatDateTime(line.at)}
          </time>
        </li>
      ))}
    </ol>
  );
}
