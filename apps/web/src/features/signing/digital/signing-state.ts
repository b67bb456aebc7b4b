import type { SignatureStatus } from '../use-signature-status.ts';
import type { Appearance } from './appearance.ts';
import type { Authorization, CloudCertificate } from './authorization.ts';
import type { OpenedCertificate } from './certificate-file.ts';

export const certificateTypes = ['cloud', 'file', 'local'] as const;
export type CertificateType = (typeof certificateTypes)[number];

/** What step two asks for, as it stands in the form. */
export interface TypeChoice {
  /** As shown, with its separators. */
  cpf: string;
  keep: boolean;
  type: CertificateType | null;
  consent: boolean;
}

/** What went wrong, as a code: of the server, of a certificate file (P12_…) or of LAVRA_SIGNER. */
export interface Fault {
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** A fault and where it is told: beside the field that it is about, or at the step. */
export interface Told extends Fault {
  readonly about: 'cpf' | 'certificate' | 'password' | 'search' | 'step';
}

export type LocalStep = 'looking' | 'choosing' | 'preparing' | 'confirming' | 'sending';
export type FileStep = 'opening' | 'preparing' | 'signing' | 'sending';

/** Where the dialog is. `doing: null`: nothing runs, and the person has the word. */
export type Place =
  | { readonly at: 'style' }
  | { readonly at: 'type'; readonly doing: null | 'searching' | 'asking' }
  | { readonly at: 'choice'; readonly found: readonly CloudCertificate[]; readonly doing: null | 'asking' }
  /** The provider asks its holder. `seen`: the server's status has said so too; `doing`: the time is over, and the server is asked how it ended. */
  | {
      readonly at: 'waiting';
      readonly authorization: Authorization;
      /** The browser refused the provider's window, or there is none. */
      readonly blocked: boolean;
      readonly seen: boolean;
      readonly doing: null | 'ending';
    }
  /** `certificates`: those that were opened, with their keys, when there are several to choose from. */
  | { readonly at: 'file'; readonly doing: null | FileStep; readonly certificates: readonly OpenedCertificate[] }
  /** `code`: what the program's window shows too; `question`: the codes of which the person has to say which one it is. */
  | {
      readonly at: 'local';
      readonly doing: null | LocalStep;
      readonly code: string | null;
      readonly question: readonly string[] | null;
    }
  /** The values are with the server. `seen`: its status has said so too. */
  | { readonly at: 'signing'; readonly seen: boolean }
  | { readonly at: 'closed' };

interface Facts {
  readonly appearance: Appearance | null;
  readonly choice: TypeChoice;
  /** Eleven digits, once step two has been passed. */
  readonly cpf: string;
  /** The number of the last work that was begun; its answers carry it. */
  readonly attempt: number;
  readonly told: Told | null;
  /** Providers that did not answer the search. */
  readonly unanswered: readonly string[];
}

export type DigitalSigning = Facts & Place;
export type At<P extends Place['at']> = Facts & Extract<Place, { at: P }>;

/** What the person does. */
export type PersonEvent =
  | { is: 'styled'; appearance: Appearance }
  | { is: 'chose'; change: Partial<TypeChoice> }
  /** Within the click: a window may be opened. */
  | { is: 'next'; cpf: string; type: CertificateType }
  | { is: 'searchAgain' }
  | { is: 'picked'; certificate: CloudCertificate }
  | { is: 'reopen' }
  | { is: 'fileChanged' }
  /** `chosen`: which of the certificates, where the file was opened already and has several. */
  | { is: 'signWithFile'; file: File; password: string; chosen: number }
  /** `forget`: the program that this browser knows is given up, and compared anew. */
  | { is: 'startLocal'; forget: boolean }
  | { is: 'compared'; code: string | null }
  | { is: 'cancel' }
  | { is: 'back' }
  | { is: 'close' };

/** What work answers; `attempt` is its number. */
export type WorkEvent =
  | { is: 'searched'; attempt: number; found: readonly CloudCertificate[]; unanswered: readonly string[] }
  | { is: 'authorized'; attempt: number; authorization: Authorization; reached: boolean }
  | { is: 'ended'; attempt: number; status: SignatureStatus['status'] | undefined }
  | { is: 'opened'; attempt: number; certificates: readonly OpenedCertificate[] }
  | { is: 'fileStep'; attempt: number; step: FileStep }
  | { is: 'localStep'; attempt: number; step: LocalStep; code: string | null }
  | { is: 'question'; attempt: number; codes: readonly string[] }
  | { is: 'sent'; attempt: number }
  | { is: 'failed'; attempt: number; fault: Fault };

/** What happens by itself. */
export type WorldEvent =
  | { is: 'status'; status: SignatureStatus }
  /** The time for the provider's answer is over. */
  | { is: 'expired' }
  /** The provider's window, opened once more, came to the provider or did not. */
  | { is: 'reached'; reached: boolean }
  /** The server did not hear that an authorisation is given up. */
  | { is: 'notGivenUp'; fault: Fault }
  /** The page is left, not the act: what waits for the provider is waited for again after a reload. */
  | { is: 'left' };

export type SigningEvent = PersonEvent | WorkEvent | WorldEvent;

/** Work: it answers with its number until it is stopped. */
export type Work =
  /** Opens the provider's window, which is the attempt's from then on. */
  | { do: 'search'; attempt: number; cpf: string }
  /** In the attempt's window, which is opened where the search did not. */
  | { do: 'authorize'; attempt: number; at: CloudCertificate; cpf: string; appearance: Appearance }
  | { do: 'askHowItEnded'; attempt: number }
  | { do: 'openFile'; attempt: number; file: File; password: string }
  | { do: 'signWithFile'; attempt: number; certificate: OpenedCertificate; cpf: string; appearance: Appearance }
  | { do: 'signLocally'; attempt: number; forget: boolean; cpf: string; appearance: Appearance };

/** What is to be done now. Effects are run in the event that caused them: browsers open windows in a click alone. */
export type Effect =
  | Work
  /** Ends work that is under way, its window too. */
  | { do: 'stop'; attempt: number }
  | { do: 'closeWindow'; attempt: number }
  | { do: 'reopenWindow'; url: string }
  | { do: 'answer'; code: string | null }
  | { do: 'forgetKeys'; certificates: readonly OpenedCertificate[] }
  /** For a reload of the page. */
  | { do: 'keepAuthorization'; authorization: Authorization }
  | { do: 'forgetAuthorization' }
  | { do: 'giveUp' }
  | { do: 'remember'; cpf: string | null }
  /** What the server accepted is the status from now on. */
  | { do: 'mark'; status: 'AUTHORIZING' | 'SIGNING' }
  | { do: 'askStatus' }
  /** The page's facts may be old. */
  | { do: 'reload' }
  | { do: 'dismiss' };

export type Step = readonly [DigitalSigning, readonly Effect[]];

/** True when what was made is with the server, so that nothing can be taken back. */
export function isHandedIn(state: DigitalSigning): boolean {
  return state.at === 'signing' || ((state.at === 'file' || state.at === 'local') && state.doing === 'sending');
}

/** The number of the work that is under way. */
export function runningAttempt(state: DigitalSigning): number | null {
  return 'doing' in state && state.doing !== null ? state.attempt : null;
}

/** Another place with the same facts, and nothing told. */
export function goTo({ appearance, choice, cpf, attempt }: DigitalSigning, place: Place): DigitalSigning {
  return { appearance, choice, cpf, attempt, told: null, unanswered: [], ...place };
}

/** Where the person begins again: step two, or step one after a reload, which keeps no picture that was chosen. */
export function beginAgain(state: DigitalSigning): DigitalSigning {
  return goTo(state, state.appearance ? { at: 'type', doing: null } : { at: 'style' });
}

/** Ends what is under way and lets go of what it holds; what was handed in goes on. */
export function stopWork(state: DigitalSigning): Effect[] {
  const attempt = runningAttempt(state);
  const stopped: Effect[] = attempt === null || isHandedIn(state) ? [] : [{ do: 'stop', attempt }];
  if (state.at === 'file' && state.certificates.length > 0) stopped.push({ do: 'forgetKeys', certificates: state.certificates });
  // The server may have begun to wait for a holder who will never be asked.
  if ((state.at === 'type' || state.at === 'choice') && state.doing === 'asking') stopped.push({ do: 'giveUp' });
  return stopped;
}

/** Refusals which say that the page shows what is no longer so. */
const stale = new Set([
  'signer.notYourTurn',
  'signer.alreadySigned',
  'signer.alreadyRejected',
  'signer.deadlinePassed',
  'signer.notFound',
  'process.notInProgress',
  'process.linkEnded',
  'process.notFound',
  'signing.underWay',
]);

/** The step at which a fault can be mended, with the fault told there. */
export function tell(state: DigitalSigning, fault: Fault, about: Told['about'] = 'step'): Step {
  const effects: Effect[] = stale.has(fault.code) ? [{ do: 'askStatus' }, { do: 'reload' }] : [];
  // The answer may be lost, and the act not.
  if (fault.code === 'error.server.not.reachable') effects.push({ do: 'askStatus' });
  const told = (next: DigitalSigning, where: Told['about']): Step => [{ ...next, told: { ...fault, about: where } }, effects];
  if (fault.code.startsWith('evidence.image')) return told(goTo(state, { at: 'style' }), 'step');
  if (fault.code === 'signer.otherCpf' || fault.code === 'evidence.cpfInvalid')
    return told(goTo(state, { at: 'type', doing: null }), 'cpf');
  if (fault.code === 'evidence.consentRequired')
    return told({ ...goTo(state, { at: 'type', doing: null }), choice: { ...state.choice, consent: false } }, 'step');
  return told(state, about);
}
