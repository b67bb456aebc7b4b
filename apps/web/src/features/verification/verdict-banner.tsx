import type { ReactNode } from 'react';
import { type Translate, useTranslation } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';
import type { WholeKind, WholeVerdict } from './whole-verdict.ts';

const looks: Record<WholeKind, { tone: 'good' | 'bad' | 'doubt' | 'plain'; icon: 'shieldGood' | 'shieldBad' | 'shieldOpen' }> = {
  valid: { tone: 'good', icon: 'shieldGood' },
  changed: { tone: 'bad', icon: 'shieldBad' },
  invalid: { tone: 'bad', icon: 'shieldBad' },
  unconfirmed: { tone: 'doubt', icon: 'shieldOpen' },
  unsigned: { tone: 'plain', icon: 'shieldOpen' },
  waiting: { tone: 'plain', icon: 'shieldOpen' },
  ended: { tone: 'doubt', icon: 'shieldOpen' },
  removed: { tone: 'plain', icon: 'shieldOpen' },
};

/** The one answer, before everything else: by colour, by a sign and in words. `of`: what was judged. */
export function VerdictBanner({ verdict, of, children }: { verdict: WholeVerdict; of: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const { tone, icon } = looks[verdict.kind];
  return (
    <section className={`whole whole-${tone}`} aria-label={t('verify.wholeLabel', { name: of })}>
      <Icon name={icon} />
      <div>
        <div role="status">
          <h2 className="whole-of">{of}</h2>
          <p className="whole-title">{t(`verify.whole.${wordsOf(verdict)}`)}</p>
          <p className="whole-words">{sentences(verdict, t).join(' ')}</p>
        </div>
        {children}
      </div>
    </section>
  );
}

/** Not known is another thing than broken. */
const wordsOf = ({ kind, isIntact }: WholeVerdict) => (kind === 'unconfirmed' && !isIntact ? 'unreadable' : kind);

function sentences(verdict: WholeVerdict, t: Translate): string[] {
  const { kind, count, valid, isIntact, after, progress } = verdict;
  const counted = countOf(verdict, t);
  switch (kind) {
    case 'valid':
      return [counted, t(`verify.after.${after}`)];
    case 'changed':
    case 'invalid':
      return [counted, t(`verify.why.${kind}`)];
    case 'unconfirmed':
      return isIntact ? [t('verify.why.intact'), counted] : [t('verify.why.unreadable')];
    case 'waiting':
    case 'ended': {
      const { signed = 0, asked = 0 } = progress ?? {};
      const so = t('verify.progress', { count: asked, signed });
      return [
        so,
        ...(kind === 'waiting' && signed === asked ? [t('verify.preparing')] : count > 0 && valid === count ? [t('verify.soFar')] : []),
      ];
    }
    default:
      return [t(`verify.why.${kind}`)];
  }
}

function countOf({ count, valid, unconfirmed }: WholeVerdict, t: Translate): string {
  if (count === 0) return '';
  if (unconfirmed === count) return t('verify.allOpen', { count });
  return valid === count ? t('verify.allValid', { count }) : t('verify.someValid', { count, valid });
}
