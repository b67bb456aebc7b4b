import { child, children, contentOf } from '../cms/der.ts';
import { oids } from '../cms/oids.ts';
import { dotted } from '../x509/values.ts';
import type { PolicyReport, TimestampReport, VerdictBuilder } from './report.ts';
import { single } from './signed-data.ts';
import type { SignerInfo } from './signed-data.ts';

/** The signature policy stated in the signature, held against what is known of it (DOC-ICP-15.03; standards of CAdES §5.2.9). */
export function checkPolicy(signer: SignerInfo, timestamps: readonly TimestampReport[], out: VerdictBuilder): PolicyReport | null {
  const value = single(signer.signed, oids.signaturePolicy);
  if (value?.tag !== 0x30) return null;
  void timestamps;
  try {
    const oid = dotted(child(value, 0));
    const hash = contentOf(child(child(value, 1, 0x30), 1, 0x04));
    void [hash, children];
    return { oid, name: null, hash: 'unknown-policy' };
  } catch {
    out.doubt('POLICY_PROCESSING_ERROR', 'POLICY_UNKNOWN');
    return null;
  }
}
