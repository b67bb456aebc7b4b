import { randomBytes } from 'node:crypto';
import type { IssuedCertificate } from '../icp-brasil/pki.ts';

export interface PscHolder {
  /** CPF or CNPJ. */
  readonly number: string;
  readonly name: string;
  readonly certificate: IssuedCertificate;
}

/** What a person is asked on the approval page, and what came of it. */
export interface PscTransaction {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scope: string;
  readonly challenge: string;
  readonly lifetimeSeconds: number;
  readonly number: string;
  readonly expiresAt: number;
  decision: 'pending' | 'approved' | 'refused';
  code: string | null;
}

export interface PscToken {
  readonly number: string;
  readonly scope: string;
  readonly expiresAt: number;
  used: boolean;
}

export interface PscApplication {
  readonly name: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
}

/** What one provider remembers. */
export interface PscState {
  readonly applications: Map<string, PscApplication>;
  readonly holders: Map<string, PscHolder>;
  readonly transactions: Map<string, PscTransaction>;
  /** By code; taken out when used. */
  readonly codes: Map<string, PscTransaction>;
  readonly tokens: Map<string, PscToken>;
}

export const newState = (): PscState => ({
  applications: new Map(),
  holders: new Map(),
  transactions: new Map(),
  codes: new Map(),
  tokens: new Map(),
});

export const randomName = () => randomBytes(18).toString('base64url');
