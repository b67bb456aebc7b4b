import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice } from '../../../shell/page.tsx';
import { providerName } from './authorization.ts';
import { BusyLine } from './busy-line.tsx';
import { stepFault } from './signing-told.tsx';
import type { StepProps } from './step-props.ts';

/** When the time that is left is said aloud: each second would be a torment. */
const told = [60, 30, 10];

/** While the person says yes at the provider: how long there is, the way back to its window, and the way out. */
export function CloudWaiting({ state, send }: StepProps<'waiting'>) {
  const { t } = useTranslation();
  const { blocked } = state;
  const fault = stepFault(state, t);
  const { url, psc, endsAt } = state.authorization;
  const name = providerName(psc);
  const left = useSecondsLeft(endsAt, () => send({ is: 'expired' }));
  const announced = told.findLast((seconds) => left <= seconds);
  return (
    <>
      <BusyLine text={t(url === null ? 'digital.push' : 'digital.authorize', { name })} />
      {url !== null && blocked && <Notice kind="warning">{t('digital.blocked')}</Notice>}
      <p className="countdown">
        {t('digital.timeLeft')} <strong role="timer">{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</strong>
      </p>
      <p className="visually-hidden" role="status">
        {announced === undefined ? '' : t('digital.secondsLeft', { count: announced })}
      </p>
      {fault !== undefined && <Notice kind="warning">{fault}</Notice>}
      <div className="actions actions-end">
        <button type="button" onClick={() => send({ is: 'cancel' })}>
          {t('word.cancel')}
        </button>
        {url !== null && (
          <button type="button" className={blocked ? 'primary' : undefined} onClick={() => send({ is: 'reopen' })}>
            {t(blocked ? 'digital.openProvider' : 'digital.openAgain')}
          </button>
        )}
      </div>
    </>
  );
}

/** Counts down to an instant; calls `onEnd` once when it has come. */
function useSecondsLeft(endsAt: number, onEnd: () => void): number {
  const left = () => Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() > 0) return;
      clearInterval(timer);
      end.current();
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);
  return seconds;
}
