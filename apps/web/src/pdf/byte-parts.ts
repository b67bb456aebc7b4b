/** A part of a file; `end` does not belong to it. */
export interface Part {
  begin: number;
  end: number;
}

/** Bytes of a file from `begin` on. */
export interface Piece {
  begin: number;
  bytes: Uint8Array;
}

/** A range's answer: the piece, and how long the whole file is; null: no such answer. */
export function pieceOf(contentRange: string | null, bytes: Uint8Array): (Piece & { length: number }) | null {
  const [, first, last, length] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? '') ?? []).map(Number);
  if (first === undefined || last === undefined || length === undefined) return null;
  return last - first + 1 === bytes.length && last < length ? { begin: first, bytes, length } : null;
}

/** The pieces of an answer in several parts (RFC 9110 §14.6); null where it is not one. */
export function piecesOf(contentType: string | null, body: Uint8Array): Piece[] | null {
  const boundary = /^multipart\/byteranges;.*boundary=([\w-]+)$/.exec(contentType ?? '')?.[1];
  if (boundary === undefined) return null;
  const text = new TextDecoder('latin1');
  const pieces: Piece[] = [];
  for (let at = 0; ;) {
    const end = headEnd(body, at);
    if (end === null) {
      const isLast = text.decode(body.subarray(at)).trim() === `--${boundary}--`;
      return isLast && pieces.length > 0 ? pieces : null;
    }
    const head = text.decode(body.subarray(at, end));
    const [, first, last] = (/^content-range: bytes (\d+)-(\d+)\/\d+$/im.exec(head) ?? []).map(Number);
    if (first === undefined || last === undefined || last < first || !head.trimStart().startsWith(`--${boundary}\r\n`)) return null;
    at = end + last - first + 1;
    if (at > body.length) return null;
    pieces.push({ begin: first, bytes: body.slice(end, at) });
  }
}

/** Where the lines before a part end; null: no more come. */
function headEnd(body: Uint8Array, from: number): number | null {
  for (let at = from; at + 3 < body.length; at += 1)
    if (body[at] === 13 && body[at + 1] === 10 && body[at + 2] === 13 && body[at + 3] === 10) return at + 4;
  return null;
}

/** Parts that touch or lie over one another become one. */
export function joined(parts: readonly Part[]): Part[] {
  const done: Part[] = [];
  for (const { begin, end } of parts.toSorted((one, other) => one.begin - other.begin)) {
    const last = done.at(-1);
    if (last && begin <= last.end) last.end = Math.max(last.end, end);
    else done.push({ begin, end });
  }
  return done;
}
