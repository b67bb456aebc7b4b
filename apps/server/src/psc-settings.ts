import { isPscId, locatePsc, PscError, type PscId, pscIds, type PscSettings } from '@lavra/psc';

export type PscsSettings = Readonly<Partial<Record<PscId, PscSettings>>>;

const PREFIX = 'LAVRA_PSC_';

/** What each variable of a provider takes; null: that is no value for it. */
const readers: Readonly<Record<string, { expects: string; read(value: string): PscSettings | null }>> = {
  CLIENT_ID: { expects: 'the client_id that the provider gave', read: (clientId) => ({ clientId }) },
  CLIENT_SECRET: { expects: 'the client_secret that the provider gave', read: (clientSecret) => ({ clientSecret }) },
  ENVIRONMENT: {
    expects: 'production or homologation',
    read: (environment) => (environment === 'production' || environment === 'homologation' ? { environment } : null),
  },
  BASE_URL: { expects: 'an address', read: (baseUrl) => ({ baseUrl }) },
  HASH_ENCODING: {
    expects: 'base64 or hex',
    read: (hashEncoding) => (hashEncoding === 'base64' || hashEncoding === 'hex' ? { hashEncoding } : null),
  },
  MAX_HASHES: { expects: 'a number from 1 on', read: (value) => (/^[1-9]\d{0,5}$/.test(value) ? { maxHashes: Number(value) } : null) },
  AUTHORIZATION: {
    expects: 'redirect or push',
    read: (authorization) => (authorization === 'redirect' || authorization === 'push' ? { authorization } : null),
  },
};

/**
 * Cloud providers by `LAVRA_PSC_<ID>_<SETTING>`. A name that is nearly right is a fault, not a provider that is silently off.
 * No value of a secret stands in a fault.
 */
export function readPscSettings(given: Readonly<Record<string, string | undefined>>, faults: string[]): PscsSettings {
  const settings: Partial<Record<PscId, PscSettings>> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    const [, id = '', setting = ''] = /^([A-Z]+)_(\w+)$/.exec(name.slice(PREFIX.length)) ?? [];
    const reader = Object.hasOwn(readers, setting) ? readers[setting] : undefined;
    if (!isPscId(id)) faults.push(`${name}: no such provider; there are ${pscIds.join(', ')}`);
    else if (!reader) faults.push(`${name}: no such setting; there are ${Object.keys(readers).join(', ')}`);
    else {
      const read = reader.read(value.trim());
      if (!read) faults.push(`${name}: ${reader.expects}`);
      settings[id] = { ...settings[id], ...read };
    }
  }
  for (const id of pscIds) {
    const own = settings[id];
    if (own) faults.push(...faultsOf(id, own));
  }
  return settings;
}

function faultsOf(id: PscId, own: PscSettings): string[] {
  const faults: string[] = [];
  if (own.clientSecret && !own.clientId) faults.push(`${PREFIX}${id}_CLIENT_ID: missing, its secret is there`);
  if (own.clientId && !own.clientSecret) faults.push(`${PREFIX}${id}_CLIENT_SECRET: missing, the client_id is there`);
  try {
    locatePsc(id, own);
  } catch (error) {
    if (!(error instanceof PscError)) throw error;
    const missing = `no ${own.environment ?? 'production'} address of this provider is known, so that it must be given`;
    const invalid = 'must be https (http: this machine only), without user, query or fragment';
    faults.push(`${PREFIX}${id}_BASE_URL: ${error.details['missing'] ? missing : invalid}`);
  }
  return faults;
}

/** Providers that can be asked: those with credentials. */
export function hasCredentials(settings: PscsSettings): boolean {
  return Object.values(settings).some(({ clientId }) => clientId !== undefined);
}
