import { open } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';

export interface DocumentShape {
  pages: number;
  /** Bytes of incompressible content per page. */
  padding: number;
  /** Objects in object streams and a cross-reference stream instead of a table. */
  objectStreams: boolean;
}

/** Writes a PDF of many small objects (about 20 per page) page by page: catalog 1, page tree 2, then the rest. */
export async function makeDocument(path: string, shape: DocumentShape, random: (length: number) => Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  const entries: { offset: number; stream?: number; index?: number }[] = [];
  let position = 0;
  const write = async (data: string | Uint8Array): Promise<void> => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    await file.write(bytes);
    position += bytes.length;
  };
  const extra = 18;
  const perPage = extra + 2;
  const pageNumber = (page: number): number => 3 + page * perPage;
  const pending: { num: number; text: string }[] = [];
  let containers = pageNumber(shape.pages);
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    const num = containers++;
    let header = '';
    let body = '';
    pending.forEach((object, index) => {
      header += `${object.num} ${body.length} `;
      body += `${object.text}\n`;
      entries[object.num] = { offset: 0, stream: num, index };
    });
    const data = deflateSync(Buffer.from(header + body, 'latin1'));
    entries[num] = { offset: position };
    await write(
      `${num} 0 obj\n<</Type/ObjStm/N ${pending.length}/First ${header.length}/Filter/FlateDecode/Length ${data.length}>>stream\n`,
    );
    await write(data);
    await write('\nendstream\nendobj\n');
    pending.length = 0;
  };
  const add = async (num: number, text: string): Promise<void> => {
    if (shape.objectStreams) {
      pending.push({ num, text });
      if (pending.length >= 200) await flush();
      return;
    }
    entries[num] = { offset: position };
    await write(`${num} 0 obj\n${text}\nendobj\n`);
  };
  await write(`%PDF-1.${shape.objectStreams ? 5 : 4}\n%\xe2\xe3\xcf\xd3\n`);
  const kids = Array.from({ length: shape.pages }, (_, page) => `${pageNumber(page)} 0 R`).join(' ');
  await add(1, '<</Type/Catalog/Pages 2 0 R>>');
  await add(2, `<</Type/Pages/Count ${shape.pages}/Kids[${kids}]/MediaBox[0 0 595 842]>>`);
  for (let page = 0; page < shape.pages; page++) {
    const num = pageNumber(page);
    await add(num, `<</Type/Page/Parent 2 0 R/Resources<<>>/Contents ${num + 1} 0 R>>`);
    const content = shape.padding > 0 ? random(shape.padding) : Buffer.from(`% page ${page + 1}\n`);
    entries[num + 1] = { offset: position };
    // Incompressible bytes stand in a comment-free stream that no reader draws: the filter is unknown on purpose.
    const filter = shape.padding > 0 ? '/Filter/DCTDecode' : '';
    await write(`${num + 1} 0 obj\n<<${filter}/Length ${content.length}>>stream\n`);
    await write(content);
    await write('\nendstream\nendobj\n');
    for (let i = 2; i < perPage; i++) await add(num + i, `<</Kind/Filler/Page ${page}/Number ${i}>>`);
  }
  await flush();
  const start = position;
  const size = containers + (shape.objectStreams ? 1 : 0);
  if (shape.objectStreams) await writeXrefStream(write, entries, containers, start);
  else await writeXrefTable(write, entries, size);
  await write(`startxref\n${start}\n%%EOF\n`);
  await file.close();
}

async function writeXrefTable(write: (data: string) => Promise<void>, entries: { offset: number }[], size: number): Promise<void> {
  const rows = Array.from({ length: size - 1 }, (_, i) => {
    return `${String(entries[i + 1]?.offset ?? 0).padStart(10, '0')} 00000 n \n`;
  });
  await write(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\n`);
}

async function writeXrefStream(
  write: (data: string | Uint8Array) => Promise<void>,
  entries: { offset: number; stream?: number; index?: number }[],
  num: number,
  start: number,
): Promise<void> {
  const rows = Buffer.alloc((num + 1) * 7);
  for (let i = 1; i <= num; i++) {
    const entry = i === num ? { offset: start } : entries[i];
    rows[i * 7] = entry?.stream === undefined ? 1 : 2;
    rows.writeUInt32BE(entry?.stream ?? entry?.offset ?? 0, i * 7 + 1);
    rows.writeUInt16BE(entry?.index ?? 0, i * 7 + 5);
  }
  const data = deflateSync(rows);
  await write(`${num} 0 obj\n<</Type/XRef/Size ${num + 1}/Root 1 0 R/W[1 4 2]/Filter/FlateDecode/Length ${data.length}>>stream\n`);
  await write(data);
  await write('\nendstream\nendobj\n');
}
