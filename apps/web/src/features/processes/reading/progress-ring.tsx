import { useTranslation } from '../../../lib/i18n.ts';

const SIZE = 44;
const RADIUS = 18;
const LENGTH = 2 * Math.PI * RADIUS;

/** How many of how many have signed: a ring, and the same in numbers. */
export function ProgressRing({ signed, total }: { signed: number; total: number }) {
  const { t } = useTranslation();
  const part = total === 0 ? 0 : signed / total;
  return (
    <span className="ring" role="img" aria-label={t('home.progressOf', { signed, count: total })}>
      <svg aria-hidden="true" width={SIZE} height={SIZE} viewBox={`0 0 ${SIZE} ${SIZE}`}>
        <circle className="ring-track" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />
        {part > 0 && <circle className="ring-part" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} strokeDasharray={`${part * LENGTH} ${LENGTH}`} />}
      </svg>
      <span aria-hidden="true">
        {signed}/{total}
      </span>
    </span>
  );
}
