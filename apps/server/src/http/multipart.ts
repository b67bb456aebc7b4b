import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';

export interface FilePart {
  fileName: string;
  /** Values of the fields that came before it and after the last file. */
  fields: ReadonlyMap<string, unknown>;
  bytes: AsyncIterable<Uint8Array>;
  /** After the last byte was read: the file was longer than a request may bring, and ended early. */
  isCut(): boolean;
}

/**
 * The files of a multipart request, one after another; each must be read before the next comes. A body that ends early, or
 * whose parts cannot be told apart, is the client's fault.
 * @throws DomainError request.invalid; the parser's own refusals (413) of too many parts
 */
export async function* fileParts(request: FastifyRequest): AsyncGenerator<FilePart> {
  let fields = new Map<string, unknown>();
  for await (const part of asClientFault(() => request.parts())) {
    if (part.type !== 'file') {
      fields.set(part.fieldname, part.value);
      continue;
    }
    const { file } = part;
    const own = fields;
    fields = new Map();
    yield { fileName: part.filename ?? '', fields: own, bytes: asClientFault(() => file), isCut: () => file.truncated };
  }
}

async function* asClientFault<T>(open: () => AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* open();
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new DomainError('request.invalid', { field: 'files' });
  }
}
