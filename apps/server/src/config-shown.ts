import type { variables } from './config-variables.ts';

/** One variable that is set: its value where it may be seen, null where that is hidden. */
export interface ShownVariable {
  name: string;
  value: string | null;
}

/**
 * What an administrator may read of the environment: `value` is no secret by its nature, `place` is scheme and host of an
 * address. What stands in no row is hidden, however harmless it looks: so is a variable that somebody adds.
 */
const shown: Partial<Record<keyof typeof variables, 'value' | 'place'>> = {
  LAVRA_PROFILE: 'value',
  LAVRA_DATA_DIR: 'value',
  HOST: 'value',
  PORT: 'value',
  LAVRA_PUBLIC_URL: 'value',
  LAVRA_INSECURE: 'value',
  DATABASE_URL: 'place',
  DATABASE_POOL_URL: 'place',
  DATABASE_LISTS_URL: 'place',
  SMTP_URL: 'place',
  MAIL_FROM: 'value',
  TSA_URL: 'place',
  TSA_ROOTS: 'value',
  TSA_ICP_BRASIL_URL: 'place',
  TSA_ICP_BRASIL_CLIENT: 'value',
  S3_BUCKET: 'value',
  S3_ENDPOINT: 'place',
  S3_REGION: 'value',
  TRUSTED_PROXIES: 'value',
  LAVRA_MAX_UPLOAD_MB: 'value',
  LAVRA_MAX_DAILY_UPLOAD_MB: 'value',
  LAVRA_MAX_ACCOUNT_MB: 'value',
  LAVRA_ENUMERATION_PROTECTION: 'value',
  // Every signer's browser is told them.
  LAVRA_IP_LOOKUP_URLS: 'value',
  LAVRA_SSO: 'value',
  LAVRA_ICP_BRASIL_CAS: 'value',
  LAVRA_ICP_BRASIL_POLICIES: 'value',
  LAVRA_ICP_BRASIL_LIST_URL: 'place',
  LAVRA_GOV_BR_CAS: 'value',
  LAVRA_SERVICES: 'value',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'place',
  OTEL_SERVICE_NAME: 'value',
  OTEL_TRACES_SAMPLER_ARG: 'value',
  LAVRA_LANGUAGE: 'value',
  LAVRA_LOG_LEVEL: 'value',
};

/** The variables that are set, by name; those that nobody declared harmless without their value. */
export function shownVariables(given: NodeJS.ProcessEnv, known: (name: string) => boolean): ShownVariable[] {
  return Object.entries(given)
    .filter(([name]) => known(name))
    .map(([name, value = '']) => ({ name, value: shownValue(shown[name as keyof typeof shown], value) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function shownValue(how: 'value' | 'place' | undefined, value: string): string | null {
  return how === 'value' ? value : how === 'place' ? placeOf(value) : null;
}

/** Scheme and host of an address: user, password, path and query may each be a key. */
export function placeOf(address: string): string | null {
  const url = URL.parse(address);
  return url && url.host !== '' ? `${url.protocol}//${url.host}` : null;
}
