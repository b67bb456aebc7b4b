import { PscError } from './errors.ts';
import { isPscId, providers, pscIds } from './providers.ts';
import type { AuthorizationMode, HashEncoding, PscId, PscProvider, SignatureFormat } from './providers.ts';

/** What an installation knows about a provider: its credentials, and anything that differs from `providers.ts`. */
export interface PscSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Which of the provider's addresses; default production. */
  readonly environment?: 'production' | 'homologation';
  /** In front of `/v0/oauth`, instead of the known one. */
  readonly baseUrl?: string;
  readonly hashEncoding?: HashEncoding;
  readonly formats?: readonly SignatureFormat[];
  readonly maxHashes?: number | null;
  readonly authorization?: AuthorizationMode;
  readonly registersApplications?: boolean;
}

/** A provider that can be asked. */
export interface ConfiguredPsc extends PscProvider {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A provider whose address is known, credentials or not: enough to register an application. */
export type LocatedPsc = PscProvider & { readonly baseUrl: string };

/**
 * Every provider with an address and credentials, in the table's order; the others are simply off. Throws PSC_NOT_CONFIGURED for
 * settings of a provider nobody knows, half a pair of credentials, or an address that is not https (http: this machine only).
 */
export function configurePscs(settings: Readonly<Record<string, PscSettings | undefined>>): ConfiguredPsc[] {
  for (const id of Object.keys(settings)) if (!isPscId(id)) throw new PscError('PSC_NOT_CONFIGURED', null, { unknown: id });
  return pscIds.flatMap((id) => {
    const own = settings[id];
    if (own === undefined) return [];
    const { clientId = '', clientSecret = '' } = own;
    if ((clientId === '') !== (clientSecret === '')) {
      throw new PscError('PSC_NOT_CONFIGURED', id, { missing: clientId === '' ? 'clientId' : 'clientSecret' });
    }
    if (clientId === '') return [];
    return [{ ...locatePsc(id, own), clientId, clientSecret }];
  });
}

/** The provider with its address. Throws PSC_NOT_CONFIGURED. */
export function locatePsc(id: PscId, settings: PscSettings = {}): LocatedPsc {
  const provider = providers[id];
  const { environment = 'production', baseUrl = provider[environment] } = settings;
  if (baseUrl === null) throw new PscError('PSC_NOT_CONFIGURED', id, { missing: 'baseUrl' });
  return {
    ...provider,
    hashEncoding: settings.hashEncoding ?? provider.hashEncoding,
    formats: settings.formats ?? provider.formats,
    maxHashes: settings.maxHashes === undefined ? provider.maxHashes : settings.maxHashes,
    authorization: settings.authorization ?? provider.authorization,
    registersApplications: settings.registersApplications ?? provider.registersApplications,
    baseUrl: checkedAddress(id, baseUrl),
  };
}

/** Secrets and hashes go there: in the clear only to this machine. */
function checkedAddress(id: PscId, baseUrl: string): string {
  const url = URL.parse(baseUrl);
  const local = url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) || url.search || url.hash || url.username) {
    throw new PscError('PSC_NOT_CONFIGURED', id, { invalid: 'baseUrl' });
  }
  return url.href.replace(/\/+$/, '').replace(/\/v0\/oauth$/, '');
}
