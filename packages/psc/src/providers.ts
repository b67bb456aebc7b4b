/** The specification's cloud certificate providers (section 9). */
export const pscIds = ['BIRDID', 'NEOID', 'REMOTEID', 'SAFEID', 'VIDAAS', 'DSCLOUD', 'SYN'] as const;
export type PscId = (typeof pscIds)[number];

export function isPscId(value: string): value is PscId {
  return (pscIds as readonly string[]).includes(value);
}

/** RAW: the provider signs the hash it is given. CMS: it wraps the signature itself, with attributes no AD-RB may have. */
export type SignatureFormat = 'RAW' | 'CMS';
export type HashEncoding = 'base64' | 'hex';
/** `redirect`: the person's browser goes there and back. `push`: their telephone asks them, and we ask whether it has. */
export type AuthorizationMode = 'redirect' | 'push';

/** What is particular about a provider; every value but the id may be overridden by an installation's settings. */
export interface PscProvider {
  readonly id: PscId;
  readonly company: string;
  /** In front of `/v0/oauth`; null: not public, so that the provider is off until an address is configured. */
  readonly production: string | null;
  readonly homologation: string | null;
  /** Of the addresses: read in the provider's own text, or reported by others and never tried by us. */
  readonly addressesAre: 'published' | 'reported' | 'unknown';
  /** How `hashes[].hash` is written. */
  readonly hashEncoding: HashEncoding;
  readonly formats: readonly SignatureFormat[];
  /** In one request; null: no number is published. */
  readonly maxHashes: number | null;
  readonly authorization: AuthorizationMode;
  /** Offers POST /application to everybody; elsewhere credentials come by contract. */
  readonly registersApplications: boolean;
}

const common = {
  hashEncoding: 'base64',
  formats: ['RAW', 'CMS'],
  maxHashes: null,
  authorization: 'redirect',
  registersApplications: false,
} as const;

const notPublic = { production: null, homologation: null, addressesAre: 'unknown' } as const;

/** Design notes, standards, section 5.3. What nobody has published stands at the norm's own value. */
export const providers: Readonly<Record<PscId, PscProvider>> = {
  BIRDID: {
    ...common,
    id: 'BIRDID',
    company: 'Soluti',
    production: 'https://api.birdid.com.br',
    homologation: 'https://apihom.birdid.com.br',
    addressesAre: 'published',
    hashEncoding: 'hex',
  },
  NEOID: {
    ...common,
    id: 'NEOID',
    company: 'Serpro',
    production: 'https://serproid.serpro.gov.br/oauth',
    homologation: null,
    addressesAre: 'reported',
    maxHashes: 5,
  },
  REMOTEID: { ...common, ...notPublic, id: 'REMOTEID', company: 'Certisign' },
  SAFEID: {
    ...common,
    id: 'SAFEID',
    company: 'Safeweb',
    production: 'https://pscsafeweb.safewebpss.com.br/Service/Microservice/OAuth/api',
    // Reported without its path; it is assumed to be production's.
    homologation: 'https://pscsafeweb-homologacao.safewebpss.com.br/Service/Microservice/OAuth/api',
    addressesAre: 'reported',
  },
  VIDAAS: {
    ...common,
    id: 'VIDAAS',
    company: 'Valid',
    production: 'https://certificado.vidaas.com.br',
    homologation: 'https://hml-certificado.vidaas.com.br',
    addressesAre: 'published',
    maxHashes: 20,
    authorization: 'push',
    registersApplications: true,
  },
  DSCLOUD: { ...common, ...notPublic, id: 'DSCLOUD', company: 'DigitalSign' },
  SYN: { ...common, ...notPublic, id: 'SYN', company: 'Syngular ID' },
};
