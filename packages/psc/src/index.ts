/**
 * # @lavra/psc
 *
 * Cloud certificates of ICP-Brasil by the protocol of DOC-ICP-17.01: certificates found by CPF, the holder's authorisation
 * (OAuth 2.0 with PKCE), hashes signed by the provider's HSM. Network, clock and randomness are handed in.
 *
 *     const psc = createPscClient(configurePscs(settings), { fetch, now, random });
 *     const { availablePscs } = await psc.findCertificates(cpf);
 *     const pending = await psc.beginAuthorization({ psc: 'BIRDID', identification: cpf, hashes: 1, redirectUri });
 *     // … store `pending`; the person approves: at `pending.url`, or on their telephone …
 *     const authorization = await psc.exchangeCode(pending, psc.readCallback(pending, query));
 *     const [{ certificate, alias }] = await psc.discoverCertificates(authorization);
 *     const [{ value }] = await psc.signHashes(authorization, { certificateAlias: alias, hashes });
 */
export { createPscClient } from './client.ts';
export type { PscClient } from './client.ts';
export { configurePscs, locatePsc } from './configure.ts';
export type { ConfiguredPsc, LocatedPsc, PscSettings } from './configure.ts';
export { isPscId, providers, pscIds } from './providers.ts';
export type { AuthorizationMode, HashEncoding, PscId, PscProvider, SignatureFormat } from './providers.ts';
export { PscError, pscErrorCodes } from './errors.ts';
export type { PscErrorCode } from './errors.ts';
export { defaultDeadlines } from './context.ts';
export type { PscDeadlines } from './context.ts';
export type { PscFetch, PscOutside, PscRequest, PscResponse } from './network.ts';
export type { AvailablePsc, FoundCertificates, PscSlot } from './find-certificates.ts';
export type { AuthorizationRequest, CallbackQuery } from './authorization.ts';
export type { PendingAuthorization } from './pending.ts';
export { pushPollMs } from './push.ts';
export { scopeFor } from './scopes.ts';
export type { PscScope } from './scopes.ts';
export { isSameHolder } from './identification.ts';
export type { Identification } from './identification.ts';
export type { PscAuthorization } from './token.ts';
export type { PscCertificate } from './certificates.ts';
export type { HashSignature, HashToSign, SignatureRequest } from './signature.ts';
export type { ApplicationToRegister, SetupCheck } from './application.ts';
