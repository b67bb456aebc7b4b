/** The providers that are made up: what differs between them is what differs between the real ones. */
export const makeBelieveIssuers = {
  google: { name: 'Google', subject: 'id', claimsInIdToken: true, clientAuth: 'client_secret_post' },
  govbr: { name: 'gov.br', subject: 'cpf', claimsInIdToken: true, clientAuth: 'client_secret_basic' },
  /** A company's own, as for single sign-on: claims at the user's information alone, roles of a realm. */
  empresa: { name: 'Empresa', subject: 'id', claimsInIdToken: false, clientAuth: 'client_secret_post' },
} as const;

export type MakeBelieveIssuerId = keyof typeof makeBelieveIssuers;

export const clientId = 'lavra';
