import { latin1Bytes } from '../pdf/objects.ts';

export type XrefForm = 'table' | 'stream' | 'hybrid';

/** A PDF from the texts of its objects (`objects[0]` is object 1); object 1 is the catalog. */
export function makePdf(objects: readonly string[], options: { form?: XrefForm; version?: string; trailer?: string } = {}): Uint8Array {
  const form = options.form ?? 'table';
  let text = `%PDF-${options.version ?? '1.7'}\n%\xe2\xe3\xcf\xd3\n`;
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const trailer = `/Root 1 0 R ${options.trailer ?? ''}`;
  const hidden = form === 'hybrid' ? objects.length : -1;
  const streamNumber = objects.length + 1;
  const streamAt = text.length;
  if (form !== 'table') {
    const rows = [...offsets, streamAt].map((offset) => `01${offset.toString(16).padStart(8, '0')}00`);
    const data = `000000000000${rows.join('')}>`;
    text += `${streamNumber} 0 obj\n<</Type/XRef/W[1 4 1]/Size ${streamNumber + 1}/Filter/ASCIIHexDecode/Length ${data.length}${form === 'stream' ? trailer : ''}>>\nstream\n${data}\nendstream\nendobj\n`;
  }
  let start = streamAt;
  if (form !== 'stream') {
    start = text.length;
    const rows = offsets.map((offset, index) =>
      // In a hybrid the last object is free in the table and found through XRefStm only.
      index + 1 === hidden ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    );
    text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
    const hybrid = form === 'hybrid' ? `/XRefStm ${streamAt}` : '';
    text += `trailer\n<</Size ${streamNumber + (form === 'hybrid' ? 1 : 0)} ${trailer} ${hybrid}>>\n`;
  }
  return latin1Bytes(`${text}startxref\n${start}\n%%EOF\n`);
}

/** A document of one A4 page; `page`, `catalog` and `form` are added to the dictionaries, `more` are objects from 4 on. */
export function simplePdf(
  parts: {
    page?: string;
    catalog?: string;
    pages?: string;
    more?: readonly string[];
    form?: XrefForm;
    version?: string;
  } = {},
): Uint8Array {
  return makePdf(
    [
      `<</Type/Catalog/Pages 2 0 R ${parts.catalog ?? ''}>>`,
      `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842] ${parts.pages ?? ''}>>`,
      `<</Type/Page/Parent 2 0 R/Resources<<>> ${parts.page ?? ''}>>`,
      ...(parts.more ?? []),
    ],
    {
      ...(parts.form ? { form: parts.form } : {}),
      ...(parts.version ? { version: parts.version } : {}),
    },
  );
}

/**
 * The same with every object in one object stream (ISO 32000-2 §7.5.7) and a cross-reference stream: streams and other
 * indirect lengths must not be among `objects`.
 */
export function makeObjectStreamPdf(objects: readonly string[], version = '1.5'): Uint8Array {
  let text = `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`;
  const container = objects.length + 1;
  let header = '';
  let body = '';
  objects.forEach((object, index) => {
    header += `${index + 1} ${body.length} `;
    body += `${object}\n`;
  });
  const containerAt = text.length;
  const stream = `/Type/ObjStm/N ${objects.length}/First ${header.length}/Length ${header.length + body.length}`;
  text += `${container} 0 obj\n<<${stream}>>\nstream\n${header}${body}\nendstream\nendobj\n`;
  const start = text.length;
  const row = (type: number, second: number, third: number): string => hexDigits(type, 2) + hexDigits(second, 8) + hexDigits(third, 2);
  const compressed = objects.map((_, index) => row(2, container, index));
  const rows = [row(0, 0, 0), ...compressed, row(1, containerAt, 0), row(1, start, 0), '>'].join('');
  const size = container + 2;
  text += `${container + 1} 0 obj\n<</Type/XRef/W[1 4 1]/Size ${size}/Root 1 0 R/Filter/ASCIIHexDecode/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
  return latin1Bytes(`${text}startxref\n${start}\n%%EOF\n`);
}

function hexDigits(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
