import { deflateSync } from 'node:zlib';

function chunk(name: string, data: Uint8Array): Uint8Array {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length);
  out.write(name, 4, 'latin1');
  out.set(data, 8);
  return out;
}

/** A PNG with alpha, 200 × 100: red, transparent left of `clear`. */
export function redPng(clear = 0): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(200);
  header.writeUInt32BE(100, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const row = [0, ...Array.from({ length: 200 }, (_, x) => [255, 0, 0, x < clear ? 0 : 255]).flat()];
  const data = deflateSync(Uint8Array.from(Array.from({ length: 100 }, () => row).flat()));
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
  return new Uint8Array(Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', new Uint8Array())]));
}
