import { createHash } from 'node:crypto';

/** A number of a content stream or dictionary: a thousandth of a point is seen by nobody. */
export function numeral(value: number): string {
  return `${Math.round(value * 1000) / 1000 || 0}`;
}

/** A text string (ISO 32000-2 §7.9.2.2): UTF-16 where ASCII does not do. */
export function textString(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is asked for
  if (/^[\x00-\x7f]*$/.test(text)) return `(${text.replaceAll(/[\\()\n\r]/g, (character) => ESCAPED[character] ?? '')})`;
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
}

const ESCAPED: Record<string, string> = { '\\': '\\\\', '(': '\\(', ')': '\\)', '\n': '\\n', '\r': '\\r' };

/** A reference to the object of that number. */
export function refer(number: number): string {
  return `${number} 0 R`;
}

/** The objects of a file that is written once, from its header to its table (ISO 32000-2 §7.5). */
export class PdfObjects {
  private readonly bodies: ({ head: string; data: Uint8Array | null } | undefined)[] = [];

  /** A number for an object that is written later. */
  reserve(): number {
    return this.bodies.push(undefined);
  }

  /** `body`: its text, of Latin-1 letters. */
  set(number: number, body: string): void {
    this.bodies[number - 1] = { head: body, data: null };
  }

  add(body: string): number {
    return this.bodies.push({ head: body, data: null });
  }

  /** `entries`: of its dictionary, without its length. */
  addStream(entries: string, data: Uint8Array): number {
    return this.bodies.push({ head: `<<${entries}/Length ${data.length}>>\nstream\n`, data });
  }

  /** The whole file; `catalog` and `info` by their numbers. */
  write(version: string, catalog: number, info: number): Uint8Array {
    const parts: (string | Uint8Array)[] = [`%PDF-${version}\n%\xff\xff\xff\xff\n`];
    let at = 15;
    let table = `xref\n0 ${this.bodies.length + 1}\n0000000000 65535 f \n`;
    const take = (part: string | Uint8Array) => {
      parts.push(part);
      at += part.length;
    };
    for (const [index, body] of this.bodies.entries()) {
      if (!body) throw new Error(`object ${index + 1} was never written`);
      table += `${`${at}`.padStart(10, '0')} 00000 n \n`;
      take(`${index + 1} 0 obj\n${body.head}`);
      if (body.data) take(body.data);
      take(body.data ? '\nendstream\nendobj\n' : '\nendobj\n');
    }
    const id = idOf(parts);
    const start = at;
    take(table);
    take(`trailer\n<</Size ${this.bodies.length + 1}/Root ${refer(catalog)}/Info ${refer(info)}/ID[<${id}><${id}>]>>\n`);
    take(`startxref\n${start}\n%%EOF\n`);
    return joined(parts, at);
  }
}

/** Of all that the file says (§14.4). */
function idOf(parts: readonly (string | Uint8Array)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex').slice(0, 32);
}

function joined(parts: readonly (string | Uint8Array)[], length: number): Uint8Array {
  const bytes = Buffer.from(new ArrayBuffer(length));
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') bytes.write(part, at, 'latin1');
    else bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(bytes.buffer);
}
