import type { Reply, registerSocial as registerCall, finishSocialSignIn as finishCall } from '@lavra/api';
import type { AwaitedStep } from '../second-factor/second-step-page.tsx';

/** Who a provider says somebody is, of whom there is no account yet. */
export type Registration = NonNullable<Reply<typeof finishCall>['registration']>;

/** What became of a sign-in at a provider. */
export type SignInOutcome =
  | { kind: 'entered'; token: string; remember: boolean }
  | { kind: 'awaited'; awaited: AwaitedStep }
  | { kind: 'registration'; registration: Registration }
  | { kind: 'refused'; code: string };

/** A session, or its second step. */
export function entered({ id_token: token, secondStep: step, rememberMe: remember }: Reply<typeof registerCall>): SignInOutcome {
  if (step) return { kind: 'awaited', awaited: { step, remember } };
  return token === null ? { kind: 'refused', code: 'server.unexpected' } : { kind: 'entered', token, remember };
}

type Message = { state: string } & ({ outcome: SignInOutcome } | { taken: true });

const CHANNEL = 'lavra-sign-in';
/** A page of the same browser answers at once; one that is not there never does. */
const TAKEN_MS = 700;

/**
 * The page that opened a provider's window hears what became of it there: the provider's pages sever the two windows, and only
 * pages of our own origin are on this channel. `state` says which sign-in is meant. Answers how to stop.
 */
export function hearOutcome(state: string, hear: (outcome: SignInOutcome) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.state !== state || !('outcome' in data)) return;
    channel.postMessage({ state, taken: true } satisfies Message);
    hear(data.outcome);
  };
  return () => channel.close();
}

/** Tells the page that opened this window; false: it is not there any more, or never was. */
export function tellOutcome(state: string, outcome: SignInOutcome): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TAKEN_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.state !== state || !('taken' in data)) return;
      clearTimeout(timer);
      resolve(true);
    };
    channel.postMessage({ state, outcome } satisfies Message);
  }).finally(() => channel.close());
}
