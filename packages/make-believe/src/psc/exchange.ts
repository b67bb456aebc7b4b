import type { IncomingMessage } from 'node:http';

export interface PscRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: string;
}

export interface PscAnswer {
  readonly status: number;
  readonly type?: string;
  readonly location?: string;
  readonly body: string;
}

/** An OAuth refusal (RFC 6749 §5.2), to be thrown anywhere while a request is answered. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: string;

  constructor(status: number, error: string) {
    super(error);
    this.status = status;
    this.error = error;
  }
}

export const json = (value: unknown, status = 200): PscAnswer => ({ status, type: 'application/json', body: JSON.stringify(value) });
export const page = (body: string, status = 200): PscAnswer => ({ status, type: 'text/html; charset=utf-8', body });
export const redirect = (location: string): PscAnswer => ({ status: 303, location, body: '' });

const maxBody = 1 << 20;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) throw new Refusal(413, 'invalid_request');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A JSON body's fields; the norm wants JSON in some calls and a form in others, and so do we. */
export function fieldsOf({ body }: PscRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Falls through: not JSON is as wrong as the wrong JSON.
  }
  throw new Refusal(400, 'invalid_request');
}
