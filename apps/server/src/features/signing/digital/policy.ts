import { adRa14, adRb13, adRc14, type SignaturePolicy } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';

/**
 * What a signature with a certificate is to become, said in it when it is made (DOC-ICP-15.03): without timestamps of ICP-Brasil
 * AD-RB 1.3 (B-B); with them an archive, AD-RA 1.4 where ITI's policy and list are at hand to be kept in the file, else AD-RC
 * 1.4, which is the same without these (both B-LTA).
 */
export function digitalPolicy({ icpBrasilTimestamps, config }: Pick<Ctx, 'icpBrasilTimestamps' | 'config'>): SignaturePolicy {
  if (icpBrasilTimestamps === null) return adRb13;
  return config.policiesDir === null ? adRc14 : adRa14;
}
