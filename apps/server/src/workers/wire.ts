import { DomainError, type DomainErrorCode } from '@lavra/domain';
import { PadesError, type PadesErrorCode } from '@lavra/pades';
import { BlobFault, StorageError, StorageUnavailableError } from '../storage/blob-store.ts';

/** What the program tells a worker process. */
export type ToWorker =
  | { kind: 'run'; file: string; name: string; input: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; error: WireError };

/** What a worker process tells the program. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'ask'; id: number; name: string; args: unknown[] }
  | ({ kind: 'done'; value: unknown } & Condition)
  | ({ kind: 'failed'; error: WireError } & Condition);

/** `isSpent`: so much of its memory is left behind by this task that the next would suffer for it. */
interface Condition {
  isSpent: boolean;
}

/** An error as plain data: classes do not cross between processes. */
export interface WireError {
  name: string;
  message: string;
  stack: string;
  code: string | null;
  field: string | null;
  /** Values of a refusal (`params`, `details`). */
  values: Record<string, string | number>;
  storage: 'away' | { sha256: string; kind: 'missing' | 'damaged' } | null;
}

export function toWire(error: unknown): WireError {
  const { name = 'Error', message = String(error), stack = '', code, field } = error as Partial<Error> & { code?: string; field?: string };
  const values = error instanceof PadesError ? error.details : error instanceof DomainError ? error.params : {};
  return {
    name,
    message,
    stack,
    code: typeof code === 'string' ? code : null,
    field: field ?? null,
    values: { ...values },
    storage: error instanceof BlobFault ? { sha256: error.sha256, kind: error.kind } : error instanceof StorageError ? 'away' : null,
  };
}

/** The same error as far as anybody tells errors apart: the engine's, the domain's and the storage's by class and code, others by name. */
export function fromWire({ name, message, stack, code, field, values, storage }: WireError): Error {
  if (storage === 'away') return new StorageUnavailableError(new Error(message));
  if (storage) return new BlobFault(storage.sha256, storage.kind);
  if (name === 'PadesError') return new PadesError(code as PadesErrorCode, message.slice((code ?? '').length + 2), values);
  if (name === 'DomainError') return new DomainError(code as DomainErrorCode, { params: values, ...(field === null ? {} : { field }) });
  return Object.assign(new Error(message), { name, stack, ...(code === null ? {} : { code }) });
}

/** A task took more time or memory than it may: its process was ended, and nothing of it is left. */
export class WorkExceededError extends Error {
  override readonly name = 'WorkExceededError';
}
