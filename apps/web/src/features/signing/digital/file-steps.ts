import { type At, type Effect, type Fault, goTo, type SigningEvent, type Step, stopWork, tell, type Told } from './signing-state.ts';

/** Step three with a certificate file: opened, perhaps chosen from, signed with. */
export function fileStep(state: At<'file'>, event: SigningEvent): Step {
  if (state.doing === 'sending' && (event.is === 'back' || event.is === 'cancel')) return [state, []];
  switch (event.is) {
    case 'fileChanged':
      if (state.doing !== null) return [state, []];
      return [goTo(state, { at: 'file', doing: null, certificates: [] }), stopWork(state)];
    case 'signWithFile':
      return state.doing === null ? begin(state, event) : [state, []];
    case 'opened': {
      const [only, ...others] = event.certificates;
      if (only !== undefined && others.length === 0) return sign({ ...state, certificates: event.certificates }, 0);
      if (only !== undefined) return [goTo(state, { at: 'file', doing: null, certificates: event.certificates }), []];
      return tell(goTo(state, { at: 'file', doing: null, certificates: [] }), { code: 'P12_NO_KEY', params: {} }, 'certificate');
    }
    case 'fileStep':
      return [{ ...state, doing: event.step }, []];
    case 'sent':
      return [goTo(state, { at: 'signing', seen: false }), [...forgetKeys(state), { do: 'mark', status: 'SIGNING' }]];
    case 'failed':
      return failed(state, event.fault);
    case 'cancel':
      return [goTo(state, { at: 'file', doing: null, certificates: [] }), stopWork(state)];
    case 'back':
      return [goTo(state, { at: 'type', doing: null }), stopWork(state)];
    default:
      return [state, []];
  }
}

function begin(state: At<'file'>, { file, password, chosen }: Extract<SigningEvent, { is: 'signWithFile' }>): Step {
  const attempt = state.attempt + 1;
  if (state.certificates.length > 0) return sign({ ...state, attempt }, chosen);
  return [{ ...goTo(state, { at: 'file', doing: 'opening', certificates: [] }), attempt }, [{ do: 'openFile', attempt, file, password }]];
}

function sign(state: At<'file'>, chosen: number): Step {
  const { attempt, cpf, certificates } = state;
  const certificate = certificates[chosen] ?? certificates[0];
  if (certificate === undefined) return [state, []];
  const appearance = state.appearance ?? { style: 'model', image: null };
  return [goTo(state, { at: 'file', doing: 'preparing', certificates }), [{ do: 'signWithFile', attempt, certificate, cpf, appearance }]];
}

/** The only certificate of a file is opened anew at the next try; several are chosen from again. */
function failed(state: At<'file'>, fault: Fault): Step {
  const stays = state.certificates.length > 1;
  const rest = goTo(state, { at: 'file', doing: null, certificates: stays ? state.certificates : [] });
  const [next, effects] = tell(rest, fault, whatIsAtFault(fault));
  // It is told at another step: nobody chooses from these any more.
  const left = stays && next.at !== 'file';
  return [next, [...(stays && !left ? [] : forgetKeys(state)), ...effects]];
}

function whatIsAtFault({ code }: Fault): Told['about'] {
  if (code === 'P12_WRONG_PASSWORD') return 'password';
  return code.startsWith('P12_') || code.startsWith('certificate.') ? 'certificate' : 'step';
}

function forgetKeys({ certificates }: At<'file'>): Effect[] {
  return certificates.length > 0 ? [{ do: 'forgetKeys', certificates }] : [];
}
