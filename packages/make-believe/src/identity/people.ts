/** Somebody whom the make-believe providers know. */
export interface IdentityPerson {
  /** Subject at every provider but gov.br, whose subject is the CPF. */
  readonly id: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly cpf: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** gov.br's seal of the account. */
  readonly level: 'bronze' | 'silver' | 'gold';
  /** Of the realm, for single sign-on. */
  readonly roles: readonly string[];
  /** What comes of it, in Portuguese. */
  readonly note: string;
}

const person = { emailVerified: true, level: 'gold', roles: ['user'] } as const;

/** Everything that can happen to somebody who signs in through a provider, a person each. */
export const identityPeople: readonly IdentityPerson[] = [
  {
    ...person,
    id: 'ana',
    givenName: 'Ana Beatriz',
    familyName: 'Conceição',
    cpf: '52998224725',
    email: 'ana.conceicao@exemplo.com.br',
    roles: ['user', 'admin'],
    note: 'Entra. E-mail confirmado; no gov.br, nível ouro.',
  },
  {
    ...person,
    id: 'carlos',
    givenName: 'Carlos Eduardo',
    familyName: 'Nóbrega',
    cpf: '11144477735',
    email: 'carlos.nobrega@exemplo.com.br',
    level: 'silver',
    note: 'Entra. E-mail confirmado; no gov.br, nível prata.',
  },
  {
    ...person,
    id: 'dora',
    givenName: 'Dora',
    familyName: 'Lima',
    cpf: '31517191394',
    email: 'dora.lima@exemplo.com.br',
    emailVerified: false,
    level: 'bronze',
    note: 'Não entra: o provedor não confirmou o e-mail dela.',
  },
  {
    ...person,
    id: 'elias',
    givenName: 'Elias',
    familyName: 'Araújo',
    cpf: '42628200414',
    email: null,
    note: 'Não entra: não tem e-mail no provedor.',
  },
];
