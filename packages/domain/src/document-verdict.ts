import { isAsSigned, type ToldChange } from './later-changes.ts';

/** One thing in a file that was judged, or should have been there to be judged. */
export interface JudgedMark {
  /** `seal`: the platform's; `timestamp`: over the whole document. */
  readonly kind: 'signature' | 'seal' | 'timestamp';
  /** The engine's word; null: it ought to be in the file and is not. */
  readonly indication: string | null;
  readonly reasons: readonly string[];
  /** Where the bytes end that it covers; null: nobody can tell. */
  readonly end: number | null;
  readonly changes: readonly ToldChange[];
}

/** Whether a document may be relied on. `changed`: what it shows is not what was signed; `unconfirmed`: nothing speaks against it, and something is not proven. */
export type VerdictKind = 'valid' | 'changed' | 'invalid' | 'unconfirmed' | 'unsigned';

/** What came after the last signature; `unknown`: it could not be told. */
export type AfterLast = 'nothing' | 'permitted' | 'forbidden' | 'unknown';

/** The one answer about a document: the worst that is known of it, and how many signatures hold. */
export interface DocumentVerdict {
  readonly kind: VerdictKind;
  /** Signatures of people; the platform's seal is none. */
  readonly count: number;
  readonly valid: number;
  readonly invalid: number;
  readonly unconfirmed: number;
  /** Every mark holds over its bytes and nothing forbidden came later, whoever they are from: broken is not the same as not known. */
  readonly isIntact: boolean;
  readonly after: AfterLast;
}

/** What keeps the evidence alive is seen by nobody and says nothing else than before. */
const evidence = new Set(['validation-data', 'document-timestamp']);

const isChanged = ({ kind, reasons, changes }: JudgedMark) =>
  reasons.includes('CHANGED_AFTER_SIGNATURE') ||
  changes.some(({ permitted }) => !permitted) ||
  // Of a document timestamp the imprint is what the digest is of a signature.
  reasons.includes(kind === 'timestamp' ? 'TIMESTAMP_IMPRINT_MISMATCH' : 'DIGEST_MISMATCH');

const isBroken = (mark: JudgedMark) =>
  isChanged(mark) || mark.reasons.includes('LATER_CHANGES_UNREADABLE') || !isAsSigned(mark.indication, mark.reasons);

/** One verdict on a whole document from those on its marks: none is better than the worst of them, and one that is unknown is not valid. */
export function documentVerdict(marks: readonly JudgedMark[]): DocumentVerdict {
  const people = marks.filter(({ kind }) => kind === 'signature');
  const has = (indication: string) => people.filter((mark) => mark.indication === indication).length;
  const [valid, missing] = [has('TOTAL-PASSED'), people.filter(({ indication }) => indication === null).length];
  const invalid = has('TOTAL-FAILED') + missing;
  return {
    kind: kindOf(marks),
    count: people.length,
    valid,
    invalid,
    unconfirmed: people.length - valid - invalid,
    isIntact: marks.length > 0 && !marks.some(isBroken),
    after: afterLast(marks),
  };
}

function kindOf(marks: readonly JudgedMark[]): VerdictKind {
  if (marks.every(({ kind }) => kind === 'timestamp')) return 'unsigned';
  if (marks.some(isChanged)) return 'changed';
  if (marks.some(({ indication }) => indication === null || indication === 'TOTAL-FAILED')) return 'invalid';
  return marks.every(({ indication }) => indication === 'TOTAL-PASSED') ? 'valid' : 'unconfirmed';
}

function afterLast(marks: readonly JudgedMark[]): AfterLast {
  const signed = marks.filter(({ kind }) => kind !== 'timestamp');
  const [last] = signed.toSorted((a, b) => (b.end ?? 0) - (a.end ?? 0));
  if (last === undefined || signed.some(({ end }) => end === null || end <= 0)) return 'unknown';
  if (last.changes.some(({ permitted }) => !permitted)) return 'forbidden';
  if (last.reasons.includes('LATER_CHANGES_UNREADABLE')) return 'unknown';
  return last.changes.every(({ kind }) => evidence.has(kind)) ? 'nothing' : 'permitted';
}

/** What a verification leaves open, for whoever relies on it. */
export type OpenQuestion = 'revocation' | 'trust' | 'policy' | 'changes' | 'format';

const questions: readonly (readonly [OpenQuestion, RegExp])[] = [
  ['changes', /^(LATER_CHANGES_UNREADABLE|FILE_UNREADABLE)$/],
  ['trust', /^CHAIN_(UNTRUSTED|INCOMPLETE)$/],
  ['revocation', /^(REVOCATION_(UNKNOWN|UNPROVEN)|CERTIFICATE_SUSPENDED)$/],
  ['policy', /^POLICY_UNKNOWN$/],
  ['format', /^(SUBFILTER|ALGORITHM)_UNSUPPORTED$/],
];

/** What could not be checked in a file, the gravest first. */
export function openQuestions(marks: readonly JudgedMark[]): OpenQuestion[] {
  const reasons = marks.flatMap((mark) => mark.reasons);
  return questions.filter(([, of]) => reasons.some((reason) => of.test(reason))).map(([question]) => question);
}

/** The field in which the platform seals what was prepared here. It names a mark and proves nothing. */
export function isSealField(field: string): boolean {
  return /^lavra_[0-9a-f]{8}_selo$/.test(field);
}
