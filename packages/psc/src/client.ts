import { checkSetup, registerApplication } from './application.ts';
import type { ApplicationToRegister, SetupCheck } from './application.ts';
import { beginAuthorization, readCallback } from './authorization.ts';
import type { AuthorizationRequest, CallbackQuery } from './authorization.ts';
import { discoverCertificates } from './certificates.ts';
import type { PscCertificate } from './certificates.ts';
import type { ConfiguredPsc, LocatedPsc } from './configure.ts';
import { defaultDeadlines } from './context.ts';
import type { PscContext, PscDeadlines } from './context.ts';
import { findCertificates } from './find-certificates.ts';
import type { FoundCertificates } from './find-certificates.ts';
import type { PscOutside } from './network.ts';
import type { PendingAuthorization } from './pending.ts';
import type { PscId } from './providers.ts';
import { pollPush } from './push.ts';
import { signHashes } from './signature.ts';
import type { HashSignature, SignatureRequest } from './signature.ts';
import { clientToken, exchangeCode } from './token.ts';
import type { PscAuthorization } from './token.ts';

/** Cloud certificates, whoever keeps them. Every method throws `PscError` and nothing else; the README says in which order. */
export interface PscClient {
  findCertificates(cpf: string): Promise<FoundCertificates>;
  beginAuthorization(request: AuthorizationRequest): Promise<PendingAuthorization>;
  readCallback(pending: PendingAuthorization, query: CallbackQuery): string;
  pollPush(pending: PendingAuthorization): Promise<string | null>;
  exchangeCode(pending: PendingAuthorization, code: string): Promise<PscAuthorization>;
  discoverCertificates(authorization: PscAuthorization, alias?: string): Promise<PscCertificate[]>;
  signHashes(authorization: PscAuthorization, request: SignatureRequest): Promise<HashSignature[]>;
  clientToken(psc: PscId): Promise<{ accessToken: string; expiresAt: string }>;
  checkSetup(psc: PscId, cpf: string): Promise<SetupCheck[]>;
  registerApplication(psc: LocatedPsc, application: ApplicationToRegister): Promise<{ clientId: string; clientSecret: string }>;
}

export function createPscClient(pscs: readonly ConfiguredPsc[], outside: PscOutside, deadlines: Partial<PscDeadlines> = {}): PscClient {
  const context: PscContext = { pscs, outside, deadlines: { ...defaultDeadlines, ...deadlines } };
  return {
    findCertificates: (cpf) => findCertificates(context, cpf),
    beginAuthorization: (request) => beginAuthorization(context, request),
    readCallback: (pending, query) => readCallback(context, pending, query),
    pollPush: (pending) => pollPush(context, pending),
    exchangeCode: (pending, code) => exchangeCode(context, pending, code),
    discoverCertificates: (authorization, alias) => discoverCertificates(context, authorization, alias),
    signHashes: (authorization, request) => signHashes(context, authorization, request),
    clientToken: (psc) => clientToken(context, psc),
    checkSetup: (psc, cpf) => checkSetup(context, psc, cpf),
    registerApplication: (psc, application) => registerApplication(context, psc, application),
  };
}
