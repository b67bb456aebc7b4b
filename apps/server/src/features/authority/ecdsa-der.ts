/** WebCrypto's r‖s (IEEE P1363) as the DER that CMS carries (RFC 3279 §2.2.3). */
export function ecdsaDer(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  const body = Buffer.concat([integer(raw.subarray(0, half)), integer(raw.subarray(half))]);
  return Uint8Array.from([0x30, body.length, ...body]);
}

function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const trimmed = bytes.subarray(start);
  const padded = (trimmed[0] ?? 0) & 0x80 ? [0, ...trimmed] : [...trimmed];
  return Buffer.from([0x02, padded.length, ...padded]);
}
