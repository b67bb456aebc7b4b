// PROVISIONAL: stands in until the CMS half of the package lands; delete with it.
export function tlv(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const length: number[] = [];
  if (size < 128) length.push(size);
  else {
    const digits: number[] = [];
    for (let rest = size; rest > 0; rest >>>= 8) digits.unshift(rest & 255);
    length.push(128 + digits.length, ...digits);
  }
  const out = new Uint8Array(1 + length.length + size);
  out[0] = tag;
  out.set(length, 1);
  let at = 1 + length.length;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function oid(text: string): Uint8Array {
  const [a = 0, b = 0, ...rest] = text.split(".").map(Number);
  const bytes = [a * 40 + b];
  for (const value of rest) {
    const group = [value & 127];
    for (let v = Math.floor(value / 128); v > 0; v = Math.floor(v / 128)) group.unshift((v & 127) | 128);
    bytes.push(...group);
  }
  return tlv(6, Uint8Array.from(bytes));
}

export interface Node {
  tag: number;
  start: number;
  body: number;
  end: number;
}

export function nodeAt(bytes: Uint8Array, start: number): Node {
  const tag = bytes[start] ?? 0;
  let at = start + 1;
  let length = bytes[at++] ?? 0;
  if (length > 128) {
    const count = length & 127;
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at++] ?? 0);
  }
  return { tag, start, body: at, end: at + length };
}

export function children(bytes: Uint8Array, node: Node): Node[] {
  const result: Node[] = [];
  for (let at = node.body; at < node.end; ) {
    const child = nodeAt(bytes, at);
    result.push(child);
    at = child.end;
  }
  return result;
}

/** Issuer and serial number of a certificate, as encoded, and whether its key is an EC key. */
export function certificateParts(der: Uint8Array): { issuer: Uint8Array; serial: Uint8Array; ec: boolean } {
  const [tbs] = children(der, nodeAt(der, 0));
  const fields = children(der, tbs as Node);
  const at = fields[0]?.tag === 0xa0 ? 1 : 0;
  const cut = (node: Node | undefined): Uint8Array => der.slice(node?.start, node?.end);
  const spki = cut(fields[at + 5]);
  const ecKey = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
  const ec = spki.subarray(0, 24).join(",").includes(ecKey.join(","));
  return { serial: cut(fields[at]), issuer: cut(fields[at + 2]), ec };
}
