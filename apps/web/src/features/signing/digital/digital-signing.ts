import type { SignatureStatus } from '../use-signature-status.ts';
import type { Appearance } from './appearance.ts';
import type { Authorization } from './authorization.ts';
import { choiceStep, search, searchStep, waitingStep } from './cloud-steps.ts';
import { fileStep } from './file-steps.ts';
import { localStep } from './local-steps.ts';
import {
  type At,
  beginAgain,
  type DigitalSigning,
  type Effect,
  goTo,
  isHandedIn,
  type Place,
  runningAttempt,
  type SigningEvent,
  type Step,
  stopWork,
  tell,
  type TypeChoice,
} from './signing-state.ts';

/**
 * The dialog of a digital signature as a state machine: what is, and what happens, make what is next and what is to be done.
 * Nothing here waits, draws or asks: `SigningRun` does what is to be done, and the dialog draws what is.
 * `appearance`: what holds until the person chooses another, where the signature has no place on the pages.
 */
export function openSigning(
  status: SignatureStatus['status'] | undefined,
  kept: Authorization | null,
  choice: TypeChoice,
  appearance: Appearance | null,
): Step {
  const facts = { appearance, choice, cpf: '', attempt: 0, told: null, unanswered: [] };
  if (status === 'SIGNING') return [{ ...facts, at: 'signing', seen: true }, []];
  // After a reload: the provider is still being waited for.
  if (kept && status === 'AUTHORIZING')
    return [{ ...facts, at: 'waiting', authorization: kept, blocked: false, seen: true, doing: null }, []];
  const first: Place = appearance ? { at: 'type', doing: null } : { at: 'style' };
  return [{ ...facts, ...first }, kept ? [{ do: 'forgetAuthorization' }] : []];
}

/** The next state, and what is to be done now. Total: what does not fit the state changes nothing. */
export function step(state: DigitalSigning, event: SigningEvent): Step {
  if (event.is === 'close' || event.is === 'left') return state.at === 'closed' ? [state, []] : close(state, event.is);
  // An answer of work that was given up: only what it holds is let go of.
  if ('attempt' in event && event.attempt !== runningAttempt(state)) return [state, letGo(state, event)];
  if (event.is === 'status') return statusStep(state, event.status);
  if (event.is === 'notGivenUp') return hasTheWord(state) ? tell(state, event.fault) : [state, []];
  switch (state.at) {
    case 'style':
      return styleStep(state, event);
    case 'type':
      return state.doing === null ? typeStep(state, event) : searchStep(state, event);
    case 'choice':
      return choiceStep(state, event);
    case 'waiting':
      return waitingStep(state, event);
    case 'file':
      return fileStep(state, event);
    case 'local':
      return localStep(state, event);
    case 'signing':
    case 'closed':
      return [state, []];
  }
}

/** True at a step that waits for the person and for nothing else. */
function hasTheWord(state: DigitalSigning): boolean {
  return 'doing' in state ? state.doing === null && state.at !== 'waiting' : state.at === 'style';
}

function styleStep(state: At<'style'>, event: SigningEvent): Step {
  if (event.is !== 'styled') return [state, []];
  return [{ ...goTo(state, { at: 'type', doing: null }), appearance: event.appearance }, []];
}

function typeStep(state: At<'type'>, event: SigningEvent): Step {
  switch (event.is) {
    case 'chose': {
      const choice = { ...state.choice, ...event.change };
      // What was told is about the number or the kind that is being changed.
      const mended = event.change.cpf !== undefined || event.change.type !== undefined;
      return [{ ...(mended ? goTo(state, { at: 'type', doing: null }) : state), choice }, []];
    }
    case 'next': {
      const [next, effects] = begin({ ...state, cpf: event.cpf }, event.type);
      return [next, [{ do: 'remember', cpf: state.choice.keep ? event.cpf : null }, ...effects]];
    }
    case 'searchAgain':
      return state.cpf === '' ? [state, []] : search(state, state.cpf);
    case 'back':
      return [goTo(state, { at: 'style' }), []];
    default:
      return [state, []];
  }
}

function begin(state: At<'type'>, type: 'cloud' | 'file' | 'local'): Step {
  if (type === 'cloud') return search(state, state.cpf);
  if (type === 'file') return [goTo(state, { at: 'file', doing: null, certificates: [] }), []];
  return [goTo(state, { at: 'local', doing: null, code: null, question: null }), []];
}

/** The server's word: who is being waited for, who is signed for, and how it ended. */
function statusStep(state: DigitalSigning, { status, reason, reasonParams }: SignatureStatus): Step {
  if (state.at === 'closed') return [state, []];
  const underWay = status === 'SIGNING' || status === 'SIGNED';
  if (underWay && state.at === 'signing') return [{ ...state, seen: true }, []];
  // Also when it was signed elsewhere: another tab, or the provider's window of before.
  if (underWay) return [goTo(state, { at: 'signing', seen: true }), [...stopWork(state), { do: 'forgetAuthorization' }]];
  if (state.at !== 'signing' && state.at !== 'waiting') return [state, []];
  if (status === 'AUTHORIZING') return [state.at === 'waiting' ? { ...state, seen: true } : state, []];
  // An answer from before the server had heard of it.
  if (!state.seen) return [state, []];
  const [next, effects] = tell(beginAgain(state), { code: reason ?? 'signing.canceled', params: reasonParams ?? {} });
  return [next, [...stopWork(state), { do: 'forgetAuthorization' }, ...effects]];
}

/** Closing ends all that runs and gives up what is waited for; leaving the page keeps what a reload goes on with. */
function close(state: DigitalSigning, how: 'close' | 'left'): Step {
  const effects = stopWork(state);
  if (state.at === 'waiting' && how === 'close') effects.push({ do: 'forgetAuthorization' }, { do: 'giveUp' });
  if (how === 'close') effects.push({ do: 'dismiss' });
  return [goTo(state, { at: 'closed' }), effects];
}

function letGo(state: DigitalSigning, event: SigningEvent): Effect[] {
  if (event.is === 'opened') return [{ do: 'forgetKeys', certificates: event.certificates }];
  if (event.is !== 'authorized') return [];
  // What runs or is waited for now took its place at the server.
  const replaced = runningAttempt(state) !== null || state.at === 'waiting' || isHandedIn(state);
  return [{ do: 'closeWindow', attempt: event.attempt }, ...(replaced ? [] : [{ do: 'giveUp' } as const])];
}
