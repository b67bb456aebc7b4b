import { beginSocialSignIn } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { ApiError, callApi } from '../../../lib/api-client.ts';
import { openProviderWindow, sendToProvider } from '../../../lib/provider-window.ts';
import { keepReturnTo, type ReturnTo } from '../../../lib/single-sign-on.ts';
import { hearOutcome, type SignInOutcome } from './sign-in-channel.ts';

export interface SocialProvider {
  id: string;
  name: string;
}

/** `closed`: the provider's window seems to be shut, and nothing came of it yet. */
export interface SocialSignIn {
  provider: SocialProvider | null;
  closed: boolean;
  outcome: SignInOutcome | null;
}

const WATCH_MS = 250;
const idle: SocialSignIn = { provider: null, closed: false, outcome: null };

/** Section 9: 1500 ms for the first provider, 3500 ms for the second, and for every further one. */
export function closedWarningMs(place: number): number {
  return place === 0 ? limits.popupClosedFirstMs : limits.popupClosedSecondMs;
}

/** Signing in through a provider in a window of its own, or in this one where a browser blocks that. */
export function useSocialSignIn({ remember, returnTo }: { remember: boolean; returnTo: ReturnTo }) {
  const { t } = useTranslation();
  const [state, setState] = useState(idle);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  async function enter(provider: SocialProvider, place: number): Promise<void> {
    stop.current();
    setState({ ...idle, provider });
    const opened = openProviderWindow(t('social.opening', { provider: provider.name }));
    try {
      const { url } = await callApi(beginSocialSignIn, { body: { provider: provider.id, rememberMe: remember } });
      if (!opened) {
        keepReturnTo(returnTo);
        window.location.assign(url);
        return;
      }
      stop.current = follow(url, opened, closedWarningMs(place), setState);
      sendToProvider(opened, url);
    } catch (error) {
      opened?.close();
      setState({ ...idle, outcome: { kind: 'refused', code: error instanceof ApiError ? error.code : 'server.unexpected' } });
    }
  }

  const settle = (outcome: SignInOutcome | null) => setState({ ...idle, outcome });
  return { ...state, enter, settle };
}

/** Hears what becomes of a window, and watches whether it is shut meanwhile. Answers how to stop. */
function follow(url: string, opened: Window, warnAfterMs: number, set: (change: (latest: SocialSignIn) => SocialSignIn) => void) {
  let closedAt: number | null = null;
  const watch = setInterval(() => {
    if (!opened.closed) return;
    // By the clock: a busy browser makes up for late looks with early ones.
    closedAt ??= performance.now();
    if (performance.now() - closedAt < warnAfterMs) return;
    // It goes on being heard: a browser that severs the windows takes an open one for closed.
    clearInterval(watch);
    set((latest) => ({ ...latest, closed: true }));
  }, WATCH_MS);
  const deafen = hearOutcome(new URL(url).searchParams.get('state') ?? '', (outcome) => {
    stop();
    set(() => ({ ...idle, outcome }));
  });
  function stop(): void {
    clearInterval(watch);
    deafen();
  }
  return stop;
}
