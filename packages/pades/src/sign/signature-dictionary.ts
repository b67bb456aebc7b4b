import { PdfName, PdfString, dict, latin1Bytes, textString } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import type { FieldLock } from '../pdf/permissions.ts';
import { placeholders } from './hole.ts';
import type { SignatureRequest } from './request.ts';

/** The signature dictionary of EN 319 142-1 §6.3: no Cert; no Reason beside a policy (requirement m). */
export function signatureDictionary(request: SignatureRequest, lock: FieldLock | null, reserve: number): PdfDict {
  const { byteRange, contents } = placeholders(reserve);
  const reason = request.policy === undefined ? request.reason : undefined;
  return dict({
    Type: new PdfName('Sig'),
    Filter: new PdfName('Adobe.PPKLite'),
    SubFilter: new PdfName('ETSI.CAdES.detached'),
    ByteRange: byteRange,
    Contents: contents,
    M: pdfDate(request.signingTime),
    ...optionalText('Name', request.name),
    ...optionalText('Reason', reason),
    ...optionalText('Location', request.location),
    ...optionalText('ContactInfo', request.contactInfo),
    ...(lock ? { Reference: [lockReference(lock)] } : {}),
  });
}

function optionalText(key: string, text: string | undefined): Record<string, PdfObject> {
  return text ? { [key]: textString(text) } : {};
}

/** §7.9.4, in UTC. */
export function pdfDate(date: Date): PdfString {
  const digits = date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '');
  return new PdfString(latin1Bytes(`D:${digits}Z`));
}

/** A field's Lock comes into force by a FieldMDP reference that repeats it (§12.8.2.4). */
function lockReference(lock: FieldLock): PdfDict {
  return dict({
    Type: new PdfName('SigRef'),
    TransformMethod: new PdfName('FieldMDP'),
    TransformParams: dict({
      Type: new PdfName('TransformParams'),
      V: new PdfName('1.2'),
      Action: new PdfName(lock.action),
      ...(lock.action === 'All' ? {} : { Fields: lock.fields.map(textString) }),
      ...(lock.level === null ? {} : { P: lock.level }),
    }),
  });
}
