import { writeFormLooks } from '../appearance/form/form-looks.ts';
import type { Crypto, DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { FormEditor } from '../pdf/form-editor.ts';
import { listFields } from '../pdf/form.ts';
import { PdfName, dict } from '../pdf/objects.ts';
import { findPage } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { RevisionWriter } from '../pdf/revision-writer.ts';
import { signatureField } from '../prepare/signature-field.ts';
import { closeByteRange, digestByteRange, fillHole, placeholders } from '../sign/hole.ts';
import type { Revision } from '../source.ts';
import { requestTimestamp } from '../timestamp/timestamp.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';

const unknownToken = 12 << 10;
/** What one token may be longer than another: serial numbers, times and signatures differ by some bytes. */
const slack = 256;
const largestReserve = 512 << 10;

/** Appends a document timestamp (ISO 32000-2 §12.8.5) over the whole file, in an invisible field of its own. */
export async function appendDocumentTimestamp(
  pdf: Pdf,
  timestamps: TimestampSource,
  digest: DigestName,
  crypto: Crypto,
): Promise<Revision> {
  for (let reserve = timestamps.tokenBytes === undefined ? unknownToken : timestamps.tokenBytes + slack; ;) {
    try {
      return await attempt(pdf, timestamps, digest, crypto, reserve);
    } catch (error) {
      const tooSmall = error instanceof PadesError && error.code === 'RESERVE_TOO_SMALL';
      if (!tooSmall || reserve >= largestReserve) throw error;
      // A token's size is not known before it is asked for; the next one is about as long.
      reserve = Number(error.details['needed']) + 1024;
    }
  }
}

async function attempt(pdf: Pdf, timestamps: TimestampSource, digest: DigestName, crypto: Crypto, reserve: number): Promise<Revision> {
  const writer = new RevisionWriter(pdf);
  const form = await FormEditor.open(pdf, writer);
  const { byteRange: rangeHole, contents } = placeholders(reserve);
  const value = writer.add(
    dict({
      Type: new PdfName('DocTimeStamp'),
      Filter: new PdfName('Adobe.PPKLite'),
      SubFilter: new PdfName('ETSI.RFC3161'),
      ByteRange: rangeHole,
      Contents: contents,
    }),
  );
  const name = await freeName(pdf);
  const field = signatureField({ name });
  field.set('V', value);
  await form.addField(name, field, await findPage(pdf, 1));
  await form.finish({ looksDrawn: await writeFormLooks(pdf, writer) });
  const placed = await writer.finish((length) => crypto.random(length));
  const byteRange = closeByteRange(placed);
  const { offset, bytes } = placed.revision;
  const imprint = await digestByteRange(pdf.source, bytes, byteRange, digest, crypto);
  const token = await requestTimestamp(timestamps, imprint, digest, (n) => crypto.random(n));
  return { offset, bytes: fillHole(bytes, offset, byteRange, token) };
}

async function freeName(pdf: Pdf): Promise<string> {
  const taken = new Set((await listFields(pdf)).map(({ name }) => name));
  for (let number = 1; ; number++) {
    if (!taken.has(`Timestamp${number}`)) return `Timestamp${number}`;
  }
}
