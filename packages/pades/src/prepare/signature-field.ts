import { rectToBox } from '../pdf/geometry.ts';
import type { Rect } from '../pdf/geometry.ts';
import { PdfName, dict, textString } from '../pdf/objects.ts';
import type { PdfDict } from '../pdf/objects.ts';
import type { FieldLock } from '../pdf/permissions.ts';
import type { SignatureFieldPlan } from './plan.ts';

/** Print and Locked (ISO 32000-2 §12.5.3). */
export const widgetFlags = 132;
export const nowhere: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** An empty signature field merged with its widget. */
export function signatureField(field: SignatureFieldPlan): PdfDict {
  return dict({
    FT: new PdfName('Sig'),
    F: widgetFlags,
    Rect: [...rectToBox(field.at?.rect ?? nowhere)],
    ...(field.tooltip ? { TU: textString(field.tooltip) } : {}),
    ...(field.lock ? { Lock: lockDict(field.lock) } : {}),
  });
}

function lockDict(lock: FieldLock): PdfDict {
  return dict({
    Type: new PdfName('SigFieldLock'),
    Action: new PdfName(lock.action),
    ...(lock.action === 'All' ? {} : { Fields: lock.fields.map(textString) }),
    ...(lock.level === null ? {} : { P: lock.level }),
  });
}
