import { type At, beginAgain, type Effect, goTo, type SigningEvent, type Step, stopWork, tell } from './signing-state.ts';

const modelOnly = { style: 'model' as const, image: null };

/** Looks for the certificates of this CPF, with the window that one of them may need. */
export function search(state: At<'type'>, cpf: string): Step {
  const attempt = state.attempt + 1;
  return [{ ...goTo(state, { at: 'type', doing: 'searching' }), cpf, attempt }, [{ do: 'search', attempt, cpf }]];
}

/** Step two while a search, or the request that follows one result, is under way. */
export function searchStep(state: At<'type'>, event: SigningEvent): Step {
  switch (event.is) {
    case 'searched': {
      const [only, ...others] = event.found;
      const { attempt, cpf } = state;
      if (only !== undefined && others.length === 0) {
        const effect: Effect = { do: 'authorize', attempt, at: only, cpf, appearance: state.appearance ?? modelOnly };
        return [{ ...state, doing: 'asking' }, [effect]];
      }
      const closed: Effect = { do: 'closeWindow', attempt };
      if (only !== undefined)
        return [{ ...goTo(state, { at: 'choice', found: event.found, doing: null }), unanswered: event.unanswered }, [closed]];
      const [next] = tell(goTo(state, { at: 'type', doing: null }), { code: 'digital.noneFound', params: {} }, 'cpf');
      return [{ ...next, unanswered: event.unanswered }, [closed]];
    }
    case 'authorized':
      return awaitHolder(state, event);
    case 'failed': {
      const [next, effects] = tell(goTo(state, { at: 'type', doing: null }), event.fault, state.doing === 'searching' ? 'search' : 'step');
      return [next, [{ do: 'closeWindow', attempt: state.attempt }, ...effects]];
    }
    case 'cancel':
    case 'back':
      return [goTo(state, { at: 'type', doing: null }), stopWork(state)];
    default:
      return [state, []];
  }
}

/** Step three where there are several certificates. */
export function choiceStep(state: At<'choice'>, event: SigningEvent): Step {
  switch (event.is) {
    case 'picked': {
      if (state.doing !== null || !state.found.includes(event.certificate)) return [state, []];
      const attempt = state.attempt + 1;
      const effect: Effect = { do: 'authorize', attempt, at: event.certificate, cpf: state.cpf, appearance: state.appearance ?? modelOnly };
      return [{ ...state, attempt, doing: 'asking', told: null }, [effect]];
    }
    case 'authorized':
      return awaitHolder(state, event);
    case 'failed': {
      const [next, effects] = tell({ ...state, doing: null }, event.fault);
      return [next, [{ do: 'closeWindow', attempt: state.attempt }, ...effects]];
    }
    case 'cancel':
    case 'back':
      return [goTo(state, { at: 'type', doing: null }), stopWork(state)];
    default:
      return [state, []];
  }
}

function awaitHolder(state: At<'type'> | At<'choice'>, { authorization, reached }: Extract<SigningEvent, { is: 'authorized' }>): Step {
  const blocked = authorization.url !== null && !reached;
  const effects: Effect[] = reached ? [] : [{ do: 'closeWindow', attempt: state.attempt }];
  return [
    goTo(state, { at: 'waiting', authorization, blocked, seen: false, doing: null }),
    [...effects, { do: 'keepAuthorization', authorization }, { do: 'mark', status: 'AUTHORIZING' }],
  ];
}

/** While the provider asks the holder. */
export function waitingStep(state: At<'waiting'>, event: SigningEvent): Step {
  switch (event.is) {
    case 'reopen':
      return [state, state.authorization.url === null ? [] : [{ do: 'reopenWindow', url: state.authorization.url }]];
    case 'reached':
      return [{ ...state, blocked: !event.reached }, []];
    case 'cancel':
    case 'back':
      // Told here in any case: if it was too late, the status says so.
      return [beginAgain(state), [...stopWork(state), { do: 'forgetAuthorization' }, { do: 'giveUp' }]];
    case 'expired': {
      // Unless the answer came in the last moment.
      if (state.doing !== null) return [state, []];
      const attempt = state.attempt + 1;
      return [{ ...state, attempt, doing: 'ending' }, [{ do: 'askHowItEnded', attempt }]];
    }
    case 'ended':
      if (event.status === 'SIGNING' || event.status === 'SIGNED')
        return [goTo(state, { at: 'signing', seen: true }), [{ do: 'forgetAuthorization' }]];
      return event.status === undefined ? unknownEnd(state) : over(state);
    case 'failed':
      return unknownEnd(state);
    default:
      return [state, []];
  }
}

/** The page goes on asking for the status, and what it says ends this. */
function unknownEnd(state: At<'waiting'>): Step {
  return tell({ ...state, doing: null }, { code: 'digital.endUnknown', params: {} });
}

function over(state: At<'waiting'>): Step {
  const [next, effects] = tell(beginAgain(state), { code: 'signing.authorizationExpired', params: {} });
  return [next, [{ do: 'forgetAuthorization' }, { do: 'reload' }, ...effects]];
}
