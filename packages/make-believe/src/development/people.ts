import type { CertificateFileKind } from '../icp-brasil/certificate-file.ts';
import type { Tree } from '../icp-brasil/pki.ts';
import type { CompanyData, PersonData } from '../icp-brasil/profile.ts';
import type { MakeBelievePscId } from '../psc/behaviour.ts';

/** One certificate of a demonstration person, and where it is. */
export interface CertificatePlan {
  /** Under which it is kept; the name of its file. */
  readonly id: string;
  readonly tree: Tree;
  readonly company?: CompanyData;
  readonly state?: 'expired' | 'revoked';
  /** In the cloud of these providers … */
  readonly at?: readonly MakeBelievePscId[];
  /** … or in a file. */
  readonly file?: CertificateFileKind;
  /** What comes of it, in Portuguese. */
  readonly note: string;
}

export interface DemonstrationPerson extends PersonData {
  readonly certificates: readonly CertificatePlan[];
}

/** Opens every file. */
export const filePassword = 'faz-de-conta';

const ana = { name: 'Ana Beatriz Conceição', cpf: '52998224725', birth: '12031985', email: 'ana.conceicao@exemplo.com.br' };
const bakery: CompanyData = { name: 'Padaria São Bento Ltda', cnpj: '11222333000181', responsible: ana };

/** Everything that can happen to somebody who signs with a certificate, a person each. */
export const demonstrationPeople: readonly DemonstrationPerson[] = [
  {
    ...ana,
    certificates: [
      { id: 'ana-nuvem', tree: 'v5', at: ['BIRDID'], note: 'Assina. Está em um só provedor.' },
      { id: 'ana-a1', tree: 'v5', file: 'modern', note: 'Assina.' },
      {
        id: 'padaria-ecnpj',
        tree: 'v5',
        file: 'modern',
        company: bakery,
        note: 'e-CNPJ da Padaria São Bento Ltda (11.222.333/0001-81): assina quem foi convidado a representá-la, e não serve para assinar como pessoa.',
      },
    ],
  },
  {
    name: 'Carlos Eduardo Nóbrega',
    cpf: '11144477735',
    birth: '30071972',
    certificates: [
      {
        id: 'carlos-nuvem',
        tree: 'v12',
        at: ['NEOID', 'SAFEID', 'VIDAAS'],
        note: 'Assina. Está em três provedores; o VIDAAS pergunta no telefone.',
      },
    ],
  },
  {
    name: 'Iara Tupinambá',
    cpf: '20406080100',
    certificates: [{ id: 'iara-nuvem', tree: 'v5', at: ['REMOTEID', 'DSCLOUD', 'SYN'], note: 'Assina. Está nos outros três provedores.' }],
  },
  {
    name: 'Dora Lima',
    cpf: '31517191394',
    certificates: [{ id: 'dora-a1', tree: 'v12', file: 'modern', note: 'Assina. Nenhum provedor a conhece.' }],
  },
  {
    name: 'Elias Araújo',
    cpf: '42628200414',
    certificates: [
      { id: 'elias-a1-antigo', tree: 'v5', file: 'legacy', note: 'Assina. Arquivo como os de antigamente (RC2 de 40 bits e triplo DES).' },
    ],
  },
  {
    name: 'Francisca Moura',
    cpf: '53739311525',
    certificates: [{ id: 'francisca-a1-vencido', tree: 'v5', file: 'modern', state: 'expired', note: 'Não assina: o certificado venceu.' }],
  },
  {
    name: 'Gustavo Prado',
    cpf: '64840422680',
    certificates: [
      { id: 'gustavo-a1-revogado', tree: 'v5', file: 'modern', state: 'revoked', note: 'Não assina: o certificado foi revogado.' },
    ],
  },
  {
    name: 'Helena Duarte',
    cpf: '75951533791',
    certificates: [{ id: 'helena-fora', tree: 'outside', file: 'modern', note: 'Não assina: parece, mas não é da ICP-Brasil.' }],
  },
];
