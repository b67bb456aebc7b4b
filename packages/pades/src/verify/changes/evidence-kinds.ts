import { PdfStream, isDict, latin1Text } from '../../pdf/objects.ts';
import type { PdfObject } from '../../pdf/objects.ts';
import type { Pdf } from '../../pdf/pdf.ts';

/**
 * XMP (ISO 16684-1), as far as it can be told without reading XML: its own root element, and none of the declarations that make
 * whoever does read it expand or fetch something. What is put there in its place says nothing that a file may say later.
 */
export async function isMetadata(pdf: Pdf, value: PdfObject | undefined): Promise<boolean> {
  const stream = await pdf.resolve(value);
  const data = stream instanceof PdfStream ? await pdf.streamData(stream) : null;
  if (data === null) return false;
  // UTF-16 and UTF-32 are read by their bytes that are not zero.
  const text = latin1Text(data).replaceAll('\0', '');
  return /<(\w+:)?(xmpmeta|xapmeta|RDF)[\s/>]/.test(text) && !/<!(DOCTYPE|ENTITY)/i.test(text);
}

/** A DSS whose entries are of the kinds that ISO 32000-2 §12.8.4.3 gives them, or none; further entries are their makers' own. */
export async function isSecurityStore(pdf: Pdf, value: PdfObject | undefined): Promise<boolean> {
  const store = await pdf.resolve(value);
  if (store === null) return true;
  if (!isDict(store)) return false;
  for (const key of ['Certs', 'OCSPs', 'CRLs']) {
    const list = await pdf.resolve(store.get(key));
    if (list !== null && !Array.isArray(list)) return false;
  }
  const entries = await pdf.resolve(store.get('VRI'));
  return entries === null || isDict(entries);
}
