import type { getValidation, Reply } from '@lavra/api';
import { documentVerdict, type DocumentVerdict } from '@lavra/domain';
import type { Judged } from './judged.ts';

/** `waiting`: more are to sign; `ended`: without them; `removed`: the bytes are kept no longer. */
export type WholeKind = DocumentVerdict['kind'] | 'waiting' | 'ended' | 'removed';

export interface WholeVerdict extends Omit<DocumentVerdict, 'kind'> {
  kind: WholeKind;
  /** How many were asked to sign in its process and how many have; null outside of one. */
  progress: { signed: number; asked: number } | null;
}

/** Of a file that somebody has. */
export function verdictOfFile(marks: readonly Judged[]): WholeVerdict {
  return { ...documentVerdict(marks), progress: null };
}

/**
 * Of a document of this installation. Good signatures make no finished document, and the bytes that are not there any more make none at
 * all; what is broken is told however far the process has come.
 */
export function verdictOfValidation(data: Reply<typeof getValidation>, marks: readonly Judged[]): WholeVerdict {
  const verdict = documentVerdict(marks);
  const signed = data.signers.filter(({ status }) => status === 'SIGNED').length;
  const of = (kind: WholeKind): WholeVerdict => ({ ...verdict, kind, progress: { signed, asked: data.signers.length } });
  if (data.filesRemovedDate !== null) return of('removed');
  if (verdict.kind === 'changed' || verdict.kind === 'invalid') return of(verdict.kind);
  if (data.status === 'FINALIZED_WITH_SUCCESS') return of(verdict.kind);
  return of(data.status === 'IN_PROGRESS' ? 'waiting' : 'ended');
}
