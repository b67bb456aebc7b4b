import { PdfStream, isDict, isName, latin1Text } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { WindowReader } from '../../pdf/window-reader.ts';

const parameters = new Set(['Predictor', 'Columns', 'Colors', 'BitsPerComponent']);
/** Where data may be said to be elsewhere, or coded by other entries (ISO 32000-2 §7.3.8.2); the short names are for inline images. */
const elsewhere = ['F', 'FFilter', 'FDecodeParms', 'DP', 'DL'];

/**
 * A stream that makes the structure of a file is coded as every reader decodes it: by nothing, by hexadecimal digits, or by Flate with
 * its own head, said once and in the plainest way. Whoever cannot decode it rebuilds the file without it.
 */
export async function isPlainlyCoded(reader: WindowReader, at: number, value: PdfObject, sealed: boolean): Promise<boolean> {
  if (!(value instanceof PdfStream)) return false;
  const { dict, offset } = value;
  if (elsewhere.some((key) => dict.has(key))) return false;
  // An entry of null is none to us, and one too many to others.
  if (/null/.test(latin1Text(await reader.window(at, offset - at)))) return false;
  const [filter, parms] = [dict.get('Filter'), dict.get('DecodeParms')];
  if (filter === undefined || isName(filter, 'ASCIIHexDecode')) return parms === undefined;
  if (!isName(filter, 'FlateDecode')) return false;
  const isPlain = parms === undefined || (isDict(parms) && [...parms].every(([key, one]) => parameters.has(key) && Number.isInteger(one)));
  // Under encryption there is no head to be seen.
  if (sealed) return isPlain;
  const [method = 0, flags = 0] = await reader.window(offset, 2);
  // RFC 1950 §2.2: deflate, a window of 32 KiB at most, no dictionary.
  return isPlain && (method & 15) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0 && (flags & 32) === 0;
}
