import { adRa14, knownPolicies, type PolicyArtifacts, type RevocationSource } from '@lavra/pades';
import type { Ctx, TimestampAuthority } from '../../context.ts';
import { readPolicyArtifacts } from '../../installation/policy-artifacts.ts';
import { digitalArchiveSource } from '../authority/revocation-sources.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { listEvidenceOfProcess } from '../signing/list-evidence.ts';

/** With what documents signed with certificates are archived. */
export interface DigitalArchive {
  timestamps: TimestampAuthority;
  revocations: RevocationSource;
  /** For signatures that name AD-RA; null where none does. */
  policyArtifacts: PolicyArtifacts | null;
}

/**
 * DSS and document timestamp, from an authority of ICP-Brasil alone: long-term evidence of another infrastructure would be foreign
 * in these documents. Null without one: then they end as they are, B-B. Signatures that promise an archive (AD-RC, AD-RA) are
 * never left without it: where the authority or ITI's files have gone from the configuration since, the process waits.
 */
export async function digitalArchive(ctx: Ctx, loaded: LoadedProcess): Promise<DigitalArchive | null> {
  const signed = (await listEvidenceOfProcess(ctx, loaded)).map(({ evidence }) => evidence);
  const promised = signed.flatMap(({ policy }) => knownPolicies.get(policy ?? '')?.family ?? []);
  const { icpBrasilTimestamps: timestamps } = ctx;
  if (timestamps === null) {
    if (promised.some((family) => family !== 'AD-RB'))
      throw new Error('TSA_ICP_BRASIL_URL: signatures were made that wait for its timestamps');
    return null;
  }
  const revocations = digitalArchiveSource(
    ctx,
    signed.flatMap(({ certificate }) => certificate ?? []),
  );
  const needsArtifacts = signed.some(({ policy }) => policy === adRa14.oid);
  return { timestamps, revocations, policyArtifacts: needsArtifacts ? await artifacts(ctx) : null };
}

async function artifacts({ config }: Ctx): Promise<PolicyArtifacts> {
  if (config.policiesDir === null) throw new Error('LAVRA_ICP_BRASIL_POLICIES: signatures were made that keep what is in it');
  return readPolicyArtifacts(config.policiesDir);
}
