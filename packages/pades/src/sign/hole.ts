import type { Crypto, DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { PdfRaw, latin1Bytes } from '../pdf/objects.ts';
import type { PlacedLabels } from '../pdf/revision-writer.ts';
import { hexText } from '../pdf/hex.ts';
import { chunksOf } from '../source.ts';
import type { PdfSource } from '../source.ts';

export type ByteRange = readonly [number, number, number, number];

/** Ten digits each: files up to 9.3 GB. */
const byteRangeTemplate = `[0 ${'0'.repeat(10)} ${'0'.repeat(10)} ${'0'.repeat(10)}]`;

/** The two placeholders of a signature dictionary (ISO 32000-2 §12.8.1): ByteRange and `reserve` bytes of Contents. */
export function placeholders(reserve: number): { byteRange: PdfRaw; contents: PdfRaw } {
  return {
    byteRange: new PdfRaw(byteRangeTemplate, 'byteRange'),
    contents: new PdfRaw(`<${'0'.repeat(reserve * 2)}>`, 'contents'),
  };
}

/** Writes the true ByteRange into the revision. The gap is exactly the hexadecimal string with its brackets. */
export function closeByteRange({ revision, labels }: PlacedLabels): ByteRange {
  const range = labels.get('byteRange');
  const contents = labels.get('contents');
  if (range === undefined || contents === undefined) {
    throw new PadesError('INVALID_PLAN', 'no signature in this revision');
  }
  const size = revision.offset + revision.bytes.length;
  const byteRange: ByteRange = [0, contents.start, contents.end, size - contents.end];
  const text = `[${byteRange.join(' ')}]`.padEnd(byteRangeTemplate.length);
  if (text.length > byteRangeTemplate.length) throw new PadesError('TOO_COMPLEX', 'file too large');
  revision.bytes.set(latin1Bytes(text), range.start - revision.offset);
  return byteRange;
}

/** Digest of everything but the hole: the base streamed 1 MiB at a time, then the revision. */
export async function digestByteRange(
  source: PdfSource,
  revision: Uint8Array,
  byteRange: ByteRange,
  digest: DigestName,
  crypto: Crypto,
): Promise<Uint8Array> {
  const hash = crypto.createHash(digest);
  for await (const piece of chunksOf(source, 0, source.size)) hash.update(piece);
  hash.update(revision.subarray(0, byteRange[1] - source.size));
  hash.update(revision.subarray(byteRange[2] - source.size));
  return hash.digest();
}

/** Fills the hole. Never truncates: RESERVE_TOO_SMALL carries `needed` bytes. */
export function fillHole(revision: Uint8Array, offset: number, byteRange: ByteRange, der: Uint8Array): Uint8Array {
  const start = byteRange[1] - offset + 1;
  const room = (byteRange[2] - byteRange[1] - 2) / 2;
  if (der.length > room) {
    throw new PadesError('RESERVE_TOO_SMALL', `${der.length} bytes into ${room}`, {
      needed: der.length,
      reserved: room,
    });
  }
  const filled = revision.slice();
  filled.set(latin1Bytes(hexText(der)), start);
  return filled;
}
