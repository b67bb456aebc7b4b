import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adRa14, PadesError, type PolicyArtifacts, readPolicyHash } from '@lavra/pades';
import { inWords, StartFault } from '../start-fault.ts';

const variable = 'LAVRA_ICP_BRASIL_POLICIES';
/** As ITI names them, where it publishes them. */
const files = { policy: 'PA_PAdES_AD_RA_v1_4.der', list: 'LPA_PAdES.der', signature: 'LPA_PAdES.p7s' };

/**
 * What AD-RA 1.4 keeps in the file, from the folder that the configuration names; read anew each time, since ITI renews its list
 * every 90 days. The policy must be the very one that signatures refer to. @throws StartFault
 */
export async function readPolicyArtifacts(folder: string): Promise<PolicyArtifacts> {
  const [policy, approvedPolicies, approvedPoliciesSignature] = await Promise.all(
    Object.values(files).map(async (name) => {
      const bytes = await readFile(join(folder, name)).catch((error: unknown) => {
        throw new StartFault(variable, inWords(error));
      });
      // DER, all three: a page that says that there is no such file is the usual mistake.
      if (bytes[0] !== 0x30) throw new StartFault(variable, `${name} is not what ITI publishes (DER)`);
      return new Uint8Array(bytes);
    }),
  );
  if (!policy || !approvedPolicies || !approvedPoliciesSignature) throw new Error('three files');
  if (!(await isPolicy(policy))) throw new StartFault(variable, `${files.policy} is another policy`);
  if (!Buffer.from(approvedPolicies).includes(files.policy))
    throw new StartFault(variable, `${files.list} does not approve of ${files.policy}: a newer one is needed`);
  return { policy, approvedPolicies, approvedPoliciesSignature };
}

async function isPolicy(der: Uint8Array): Promise<boolean> {
  try {
    return Buffer.from((await readPolicyHash(der)).hash).equals(adRa14.hash);
  } catch (error) {
    if (error instanceof PadesError) return false;
    throw error;
  }
}

/** When ITI was to publish the next list: the last field of it; null where it says nothing of that. */
export function nextListOf({ approvedPolicies }: PolicyArtifacts): Date | null {
  const [tag, , ...text] = approvedPolicies.subarray(-17);
  const stated = tag === 0x18 ? Buffer.from(text).toString('latin1') : '';
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(stated) ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  return parts.length === 0 ? null : new Date(Date.UTC(year, month - 1, ...rest));
}
