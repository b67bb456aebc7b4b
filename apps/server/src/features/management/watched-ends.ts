import { createHash, X509Certificate } from 'node:crypto';
import { certificatesInPem } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { nextListOf, readPolicyArtifacts } from '../../installation/policy-artifacts.ts';
import { loadAuthority } from '../authority/authority.ts';

/** What an installation stands on and what ends some day. */
export type WatchedUse = 'ownAuthority' | 'seal' | 'timestamps' | 'timestampsClient' | 'icpBrasil' | 'govBr' | 'policies';

export interface WatchedEnd {
  /** Names it over restarts: use and fingerprint. */
  subject: string;
  use: WatchedUse;
  name: string;
  issuer: string | null;
  beginsAt: Date | null;
  endsAt: Date;
  fingerprint: string | null;
  /** Kept for signatures of before, and ended long ago: nobody is warned. */
  isHistory: boolean;
}

/** ICP-Brasil's root that ended in 2023, for signatures of then. */
const HISTORY = 'ICP-Brasil v2';

/** Certificates and lists with the instant of their end, those that end first at the front. */
export async function watchedEnds(ctx: Ctx): Promise<WatchedEnd[]> {
  const { root, people, platform, seal } = await loadAuthority(ctx);
  const { config } = ctx;
  const client = config.icpBrasilTsa?.client ? certificatesInPem(config.icpBrasilTsa.client.cert).slice(0, 1) : [];
  const ends = [
    ...[root, people, platform].map(({ der }) => endOf('ownAuthority', der)),
    endOf('seal', seal.der),
    ...config.tsaRoots.map((der) => endOf('timestamps', der)),
    ...client.map((der) => endOf('timestampsClient', der)),
    ...ctx.icpBrasil.anchors.map(({ certificate, name }) => ({ ...endOf('icpBrasil', certificate, name), isHistory: name === HISTORY })),
    ...config.authorities.govBr.filter(isRoot).map((der) => endOf('govBr', der)),
    ...(await policiesEnd(ctx)),
  ];
  return ends.toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime());
}

function endOf(use: WatchedUse, der: Uint8Array, called?: string): WatchedEnd {
  const { subject, issuer, validFromDate: beginsAt, validToDate: endsAt } = new X509Certificate(der);
  const fingerprint = createHash('sha256').update(der).digest('hex');
  const name = called ?? commonName(subject);
  return { subject: `${use}/${fingerprint}`, use, name, issuer: commonName(issuer), beginsAt, endsAt, fingerprint, isHistory: false };
}

const commonName = (name: string) => /^CN=(.*)$/m.exec(name)?.[1] ?? name.replaceAll('\n', ', ');

function isRoot(der: Uint8Array): boolean {
  const certificate = new X509Certificate(der);
  return certificate.checkIssued(certificate);
}

/** ITI renews its list of approved policies; whoever is away from their folder finds it out in health. */
async function policiesEnd({ config }: Ctx): Promise<WatchedEnd[]> {
  if (config.policiesDir === null) return [];
  const endsAt = await readPolicyArtifacts(config.policiesDir).then(nextListOf, () => null);
  if (endsAt === null) return [];
  const common = { use: 'policies' as const, name: 'LPA_PAdES', issuer: 'ITI', beginsAt: null, fingerprint: null, isHistory: false };
  return [{ subject: 'policies/LPA_PAdES', ...common, endsAt }];
}
