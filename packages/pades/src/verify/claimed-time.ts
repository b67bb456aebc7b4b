import { single } from '../cms/read-signed-data.ts';
import type { SignerInfo } from '../cms/read-signed-data.ts';
import { PdfString, decodeText } from '../pdf/objects.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { timeOf } from '../asn1/values.ts';
import type { FoundSignature } from './find-signatures.ts';

const signingTime = '1.2.840.113549.1.9.5';

/** M, else signing-time. */
export async function claimedTime({ dict }: FoundSignature, signer: SignerInfo | null, pdf: Pdf): Promise<Date | null> {
  const m = await attempt(() => pdf.resolve(dict.get('M')));
  const fromDictionary = m instanceof PdfString ? dateOf(decodeText(m)) : null;
  return fromDictionary ?? (await attempt(() => (signer === null ? null : timeOf(single(signer.signed, signingTime) ?? undefined))));
}

/** A PDF date (ISO 32000-2 §7.9.4); UTC when it names no zone. */
function dateOf(text: string): Date | null {
  const match = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-]\d{2})'?(\d{2})?)?/.exec(text);
  if (match === null) return null;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , zone, minutes = '00'] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone === undefined ? 'Z' : `${zone}:${minutes}`}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

async function attempt<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}
