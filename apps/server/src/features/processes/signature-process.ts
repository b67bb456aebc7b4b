import type { Cnpj, Cpf, Modality, ProcessState, SignatureModel, SignerState } from '@lavra/domain';
import type { AccountFacts } from '../accounts/find-account.ts';
import type { ProcessDocument } from '../documents/process-documents.ts';
import type { Locale } from '../../language/translator.ts';

/** One who signs: the domain's state, and what only the server needs of them. */
export interface ProcessSigner extends SignerState {
  /** The account that they are bound to (docs/decisions/033), or null. */
  userId: string | null;
  email: string;
  phoneNumber: string | null;
  /** The CPF that the creator registered for them, or null. */
  cpf: Cpf | null;
  /** The CNPJ of the company that they represent, or null: they sign for themselves. */
  cnpj: Cnpj | null;
  /** How many boxes the creator wanted in each document. */
  quantity: number;
  /** Whether their signature shows on pages. */
  visible: boolean;
  /** The model it was, while that is there. */
  modelId: string | null;
  /** The model as it was when they were added; null: the default. */
  model: SignatureModel | null;
  langKey: Locale;
}

/** The aggregate: all that decides what may happen to a process, and what is told of it. Loaded whole, decided by the domain, written once. */
export interface SignatureProcess extends ProcessState {
  id: string;
  ownerId: string;
  title: string;
  modality: Modality;
  geolocation: 'required' | 'optional';
  langKey: Locale;
  /** Its interested parties hear of its success. */
  tellStakeholders: boolean;
  createdByFront: boolean;
  /** The client closes the creation sequence itself: the draft never starts by itself. */
  awaitsStart: boolean;
  createdAt: Date;
  /** The last write of its creation sequence. */
  touchedAt: Date;
  /** Error code of a job that is stuck on it, and the values of that code's sentence. */
  problem: string | null;
  problemParams: Readonly<Record<string, string | number>>;
  /** The sealed evidence report, once finished. */
  evidenceReport: { hash: string; size: number } | null;
  signers: readonly ProcessSigner[];
  stakeholders: readonly { name: string; email: string }[];
}

/** With its documents and whoever sent it: what readers and the makers of files work on. */
export interface LoadedProcess extends SignatureProcess {
  documents: readonly ProcessDocument[];
  /** Whose it is; null: their data were erased. */
  sender: AccountFacts | null;
  /** The company that they belong to now, and since when; null: none. */
  senderCompany: { id: string; joinedAt: Date } | null;
}

/** Where a process's chain of events ends. */
export interface ChainEnd {
  seq: number;
  hash: string;
  at: Date | null;
}
