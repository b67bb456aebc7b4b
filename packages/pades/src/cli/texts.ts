import type { PadesErrorCode } from '../errors.ts';
import type { Change, Indication, NoteCode, ReasonCode } from '../verify/report.ts';
import { english } from './texts-en.ts';
import { spanish } from './texts-es.ts';
import { portuguese } from './texts-pt-br.ts';

/** What the terminal says, in one language. Closed: a new code or sentence does not compile before every language has it. */
export interface Texts {
  /** For numbers and instants (BCP 47). */
  readonly language: string;
  /** Of a signature and of a document. */
  readonly verdicts: Readonly<Record<Indication, string>>;
  /** Of a timestamp, where a language tells its gender. */
  readonly timestampVerdicts: Readonly<Record<Indication, string>>;
  readonly reasons: Readonly<Record<ReasonCode, string>>;
  readonly notes: Readonly<Record<NoteCode, string>>;
  readonly changeKinds: Readonly<Record<Change['kind'], string>>;
  readonly refusals: Readonly<Record<PadesErrorCode, string>>;
  /** DocMDP (ISO 32000-2 §12.8.2.2). */
  readonly certifications: Readonly<Record<1 | 2 | 3, string>>;
  readonly commands: Readonly<Record<CommandName, { readonly summary: string; readonly usage: string }>>;
  readonly program: {
    overview(list: string): string;
    unknown(name: string): string;
    refused(reason: string, message: string): string;
    internal(message: string): string;
  };
  readonly faults: Faults;
  readonly sign: { done(facts: { field: string; level: string; policy: string | null; out: string }): string };
  readonly extend: { done(level: string, out: string): string };
  readonly inspect: InspectTexts;
  readonly report: ReportTexts;
}

export type CommandName = 'sign' | 'extend' | 'inspect' | 'verify';

interface Faults {
  missing(option: string): string;
  choose(option: string, allowed: readonly string[]): string;
  readonly oneFile: string;
  exists(path: string): string;
  neither(path: string): string;
  readonly notCertificate: string;
  readonly notRevocationList: string;
  readonly notOcsp: string;
  readonly password: string;
  readonly rect: string;
  readonly page: string;
  readonly tsaAddress: string;
  tsaMissing(level: string): string;
  proofsMissing(level: string): string;
  readonly artifacts: string;
  readonly at: string;
  timestamp(reason: string): string;
}

interface InspectTexts {
  readonly permits: Readonly<Record<'pages' | 'textFields' | 'visibleSignatureFields' | 'signatures', string>>;
  revisions(count: number): string;
  readonly rebuilt: string;
  pages(count: number): string;
  bytes(count: number): string;
  readonly signable: string;
  unsignable(reason: string): string;
  certified(what: string): string;
  allowed(list: string): string;
  empty(field: string): string;
  readonly coverUnknown: string;
  readonly coversAll: string;
  coversFirst(count: number): string;
  field(name: string, isTimestamp: boolean): string;
}

interface ReportTexts {
  readonly nothing: string;
  readonly timestampsOnlyResult: string;
  readonly timestampsOnly: string;
  signature(number: number, total: number): string;
  timestamp(number: number, total: number): string;
  result(what: string): string;
  readonly somebody: string;
  allRight(names: string): string;
  readonly changed: string;
  readonly failed: string;
  readonly doubtful: string;
  passedOf(passed: number, total: number): string;
  provenAt(time: string): string;
  claimedAt(time: string): string;
  readonly unknownSigner: string;
  readonly noAuthority: string;
  readonly none: string;
  readonly unknownAuthority: string;
  by(trust: string): string;
  readonly unknownTime: string;
  readonly nameless: string;
  noLevel(subFilter: string): string;
  formOnly(level: string): string;
  readonly coversAll: string;
  certificateType(type: string): string;
  readonly forbidden: string;
  times(count: number): string;
  readonly noTrust: string;
  /** What begins a line, in one width. */
  readonly labels: Readonly<Record<'signedBy' | 'authority' | 'date' | 'kind' | 'field' | 'note' | 'reason' | 'policy' | 'since', string>>;
}

/** A sentence that is said when the language is known. */
export type Said = (texts: Texts) => string;

const languages: Readonly<Record<string, Texts>> = { 'pt-br': portuguese, en: english, es: spanish };

/** In the language that `LAVRA_LANGUAGE` names; Portuguese without it, or where it names none of these. */
export function textsFor(environment: Readonly<Record<string, string | undefined>>): Texts {
  return languages[environment['LAVRA_LANGUAGE'] ?? ''] ?? portuguese;
}
