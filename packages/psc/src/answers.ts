import { failure } from './network.ts';
import type { Call, Reply } from './network.ts';
import type { PscErrorCode } from './errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, and what a token's end is called in the wild. */
const meanings: Readonly<Record<string, PscErrorCode>> = {
  access_denied: 'PSC_REFUSED_BY_USER',
  user_denied: 'PSC_REFUSED_BY_USER',
  invalid_grant: 'PSC_EXPIRED',
  invalid_token: 'PSC_EXPIRED',
  expired_token: 'PSC_EXPIRED',
  invalid_client: 'PSC_CREDENTIALS_REFUSED',
  unauthorized_client: 'PSC_CREDENTIALS_REFUSED',
  invalid_scope: 'PSC_SCOPE_REFUSED',
  insufficient_scope: 'PSC_SCOPE_REFUSED',
  server_error: 'PSC_UNAVAILABLE',
  temporarily_unavailable: 'PSC_UNAVAILABLE',
};

/** The code for an OAuth error word. */
export function meaningOf(error: string): PscErrorCode {
  return meanings[error.trim().toLowerCase()] ?? 'PSC_REQUEST_REFUSED';
}

/**
 * The answer's fields, whatever shape they come in; throws the code of a refusal. The body is judged before the status: some
 * providers refuse with 200, some name the true cause under a 500.
 */
export function readAnswer(call: Call, reply: Reply): Fields {
  const fields = fieldsOf(reply.text);
  const error = fields === null ? null : errorWord(fields);
  if (error !== null) throw failure(call, meaningOf(error), { status: reply.status, error: loggable(error) });
  throwByStatus(call, reply.status);
  if (fields === null) throw failure(call, 'PSC_BAD_ANSWER', { status: reply.status });
  return fields;
}

/** Also `status: "error"` and the like, for calls whose `status` is not the answer itself. */
export function readSuccess(call: Call, reply: Reply): Fields {
  const fields = readAnswer(call, reply);
  if (isNo(fields['status']) || fields['success'] === false) {
    throw failure(call, 'PSC_REQUEST_REFUSED', { status: reply.status, said: loggable(String(fields['status'])) });
  }
  if (typeof fields['status'] === 'number') throwByStatus(call, fields['status']);
  return fields;
}

function throwByStatus(call: Call, status: number): void {
  if (status >= 200 && status < 300) return;
  // 401 is said of the token where there is one, and of our credentials where there is none.
  const refused = call.bearer === undefined ? 'PSC_CREDENTIALS_REFUSED' : 'PSC_EXPIRED';
  if (status === 401) throw failure(call, refused, { status });
  if (status === 429 || status >= 500) throw failure(call, 'PSC_UNAVAILABLE', { status });
  throw failure(call, status >= 400 ? 'PSC_REQUEST_REFUSED' : 'PSC_BAD_ANSWER', { status });
}

function errorWord({ error }: Fields): string | null {
  if (typeof error === 'string') return error === '' ? null : error;
  if (isFields(error)) return String(error['code'] ?? error['error'] ?? 'unnamed');
  return error === true ? 'unnamed' : null;
}

/** JSON; also JSON inside a JSON string, and a single object inside an array. */
export function fieldsOf(text: string): Fields | null {
  let value: unknown = parse(text);
  if (typeof value === 'string') value = parse(value);
  if (Array.isArray(value) && value.length === 1) value = value[0];
  return isFields(value) ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What should be a list: one, several or none, of objects or of bare strings that stand for the field `key`. */
export function listOf(value: unknown, key: string): Fields[] {
  const items = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (typeof item === 'string' ? [{ [key]: item }] : isFields(item) ? [item] : []));
}

/** A text that is there; numbers count. */
export function textIn(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** DOC-ICP-17.01's "S"; providers also say true and "sim". */
export function isYes(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(s|sim|y|yes|true|ok|success|sucesso)$/i.test(value.trim()));
}

export function isNo(value: unknown): boolean {
  return (
    value === false ||
    (typeof value === 'string' && /^(n|n[aã]o|no|nok|false|err(or|o)?|fail(ed|ure)?|falha|denied|recusad[oa])$/i.test(value.trim()))
  );
}

/** A provider's word as it may stand in a log: no CPF, no token, no line breaks. */
function loggable(word: string): string {
  return word.replaceAll(/[^\w .-]|\d{5,}/g, '').slice(0, 40);
}
