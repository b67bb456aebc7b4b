import { type At, goTo, type SigningEvent, type Step, stopWork, tell } from './signing-state.ts';

/** Step three with a token, a card or a certificate of the system: LAVRA_SIGNER does it. */
export function localStep(state: At<'local'>, event: SigningEvent): Step {
  if (state.doing === 'sending' && (event.is === 'back' || event.is === 'cancel')) return [state, []];
  const resting = { at: 'local', doing: null, code: null, question: null } as const;
  switch (event.is) {
    case 'startLocal': {
      if (state.doing !== null) return [state, []];
      const attempt = state.attempt + 1;
      const appearance = state.appearance ?? { style: 'model', image: null };
      return [
        { ...goTo(state, { ...resting, doing: 'looking' }), attempt },
        [{ do: 'signLocally', attempt, forget: event.forget, cpf: state.cpf, appearance }],
      ];
    }
    case 'localStep':
      return [{ ...state, doing: event.step, code: event.code, question: null }, []];
    case 'question':
      return [{ ...state, question: event.codes }, []];
    case 'compared':
      return state.question === null ? [state, []] : [{ ...state, question: null }, [{ do: 'answer', code: event.code }]];
    case 'sent':
      return [goTo(state, { at: 'signing', seen: false }), [{ do: 'mark', status: 'SIGNING' }]];
    case 'failed':
      return tell(goTo(state, resting), event.fault);
    case 'cancel':
      return [goTo(state, resting), stopWork(state)];
    case 'back':
      return [goTo(state, { at: 'type', doing: null }), stopWork(state)];
    default:
      return [state, []];
  }
}
