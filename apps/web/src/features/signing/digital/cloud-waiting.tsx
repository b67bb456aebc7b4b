import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../shell/page.tsx';
import { type Authorization, providerName } from './authorization.ts';
import { BusyLine } from './busy-line.tsx';
import { openProviderWindow, sendToProvider } from './provider-window.ts';

/** When the time that is left is said aloud: each second would be a torment. */
const told = [60, 30, 10];

interface WaitingProps {
  authorization: Authorization;
  /** The browser refused the provider's window. */
  blocked: boolean;
  canceling: boolean;
  onCancel(): void;
  onExpired(): void;
}

/** While the person says yes at the provider: how long there is, the way back to its window, and the way out. */
export function CloudWaiting({ authorization, blocked, canceling, onCancel, onExpired }: WaitingProps) {
  const { t } = useTranslation();
  const { url, psc, endsAt } = authorization;
  const name = providerName(psc);
  const [opened, setOpened] = useState(!blocked);
  const left = useSecondsLeft(endsAt, onExpired);
  const announced = told.findLast((seconds) => left <= seconds);
  function open(): void {
    if (url) setOpened(sendToProvider(openProviderWindow(t('digital.opening')), url));
  }
  return (
    <>
      <BusyLine text={t(url === null ? 'digital.push' : 'digital.authorize', { name })} />
      {url !== null && !opened && <Notice kind="warning">{t('digital.blocked')}</Notice>}
      <p className="countdown">
        {t('digital.timeLeft')} <strong role="timer">{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</strong>
      </p>
      <p className="visually-hidden" role="status">
        {announced === undefined ? '' : t('digital.secondsLeft', { count: announced })}
      </p>
      <div className="actions actions-end">
        <button type="button" disabled={canceling} onClick={onCancel}>
          {t('prepare.cancel')}
        </button>
        {url !== null && (
          <button type="button" className={opened ? undefined : 'primary'} disabled={canceling} onClick={open}>
            {t(opened ? 'digital.openAgain' : 'digital.openProvider')}
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
