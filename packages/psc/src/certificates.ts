import { isNo, listOf, readAnswer, textIn } from './answers.ts';
import { endpoint, pscOf } from './context.ts';
import type { PscContext } from './context.ts';
import { readCertificates } from './encodings.ts';
import { failure, send } from './network.ts';
import type { Call } from './network.ts';
import { assertAuthorized } from './token.ts';
import type { PscAuthorization } from './token.ts';

/** A certificate the authorisation reaches. Whether it is ICP-Brasil's, valid and this person's is for the caller to judge. */
export interface PscCertificate {
  readonly alias: string | null;
  /** DER. */
  readonly certificate: Uint8Array;
  /** Issuers, when the provider sends them along, DER. */
  readonly chain: readonly Uint8Array[];
}

/** GET /certificate-discovery; at least one. Throws PSC_NO_CERTIFICATE. */
export async function discoverCertificates(
  context: PscContext,
  authorization: PscAuthorization,
  alias?: string,
): Promise<PscCertificate[]> {
  const psc = pscOf(context, authorization.psc);
  const query = alias === undefined ? '' : `?${new URLSearchParams({ certificate_alias: alias })}`;
  const call: Call = {
    psc,
    call: 'certificate-discovery',
    url: `${endpoint(psc, 'certificate-discovery')}${query}`,
    bearer: authorization.accessToken,
    deadlineMs: context.deadlines.callMs,
  };
  assertAuthorized(context, authorization, call);
  const fields = readAnswer(call, await send(context.outside, call));
  const listed = listOf(fields['certificates'], 'certificate');
  if (listed.length === 0) {
    const refused = typeof fields['status'] === 'string' && isNo(fields['status']) && !/^n/i.test(fields['status'].trim());
    throw failure(call, refused ? 'PSC_REQUEST_REFUSED' : 'PSC_NO_CERTIFICATE');
  }
  return listed.map((one) => {
    const texts = listOf(one['certificate'], 'text').flatMap((part) => textIn(part, 'text') ?? []);
    const read = texts.map(readCertificates);
    const [certificate, ...chain] = read.flat();
    if (certificate === undefined || read.some((part) => part.length === 0)) throw failure(call, 'PSC_BAD_ANSWER');
    return { alias: textIn(one, 'alias', 'certificate_alias'), certificate, chain };
  });
}
