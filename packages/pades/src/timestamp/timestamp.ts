// PROVISIONAL: stands in until the CMS half of the package lands.
import { children, nodeAt, oid, tlv } from "../cms/provisional-der.ts";
import type { DigestName } from "../crypto.ts";
import { PadesError } from "../errors.ts";

export interface TimestampSource {
  timestamp(request: Uint8Array): Promise<Uint8Array>;
}

const digests: Record<DigestName, string> = {
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
};

export async function requestTimestamp(
  source: TimestampSource,
  imprint: Uint8Array,
  digest: DigestName,
  random: (n: number) => Uint8Array,
): Promise<Uint8Array> {
  const nonce = random(9);
  nonce[0] = 1;
  const request = tlv(
    0x30,
    tlv(2, Uint8Array.of(1)),
    tlv(0x30, tlv(0x30, oid(digests[digest]), tlv(5)), tlv(4, imprint)),
    tlv(2, nonce),
    tlv(1, Uint8Array.of(255)),
  );
  const response = await source.timestamp(request);
  const parts = children(response, nodeAt(response, 0));
  const token = parts[1];
  if (token === undefined) throw new PadesError("TIMESTAMP_REFUSED");
  return response.slice(token.start, token.end);
}
