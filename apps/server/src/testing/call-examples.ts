import * as api from '@lavra/api';
import { defaultDigitalModel } from '@lavra/domain';
import type { CallInput } from './app.ts';
import { signaturePng } from './processes.ts';

/** Ids of one account's rows, or ids that nobody has. */
export interface Rows {
  account: string;
  email: string;
  /** An electronic process in progress, its signer and its document. */
  open: string;
  openSigner: string;
  openDocument: string;
  /** A digital process in progress. */
  digital: string;
  digitalSigner: string;
  digitalDocument: string;
  /** A finished process, whose document has its signature page apart. */
  done: string;
  doneSigner: string;
  doneDocument: string;
  draft: string;
  draftSigner: string;
  draftDocument: string;
  /** An interested party of the electronic process. */
  stakeholder: string;
  /** The signature that the draft names. */
  signature: string;
  /** A document that belongs to no process yet. */
  document: string;
  /** SHA-256 of its bytes. */
  documentHash: string;
  model: string;
  /** A session of the account. */
  session: string;
  /** The account's company, another one who belongs to it, and an invitation into it. */
  company: string;
  colleague: string;
  invitation: string;
  passkey: string;
  /** A provider that opens the account. */
  identity: string;
}

/**
 * What a call is about, for whoever has nothing to do with the rows that its example names:
 * `rows`: they are not found, be they there or not · `secret`: it takes more than the ids, and says nothing either · `own`: it names
 * no rows, and answers of the caller's own · `administration`: rows of the installation, for who administers it · `both`: `rows` that who administers the installation sees as well · `open`: it
 * answers everybody alike.
 */
export type Kind = 'rows' | 'secret' | 'own' | 'administration' | 'both' | 'open';

type Asked = Pick<CallInput<api.Call>, 'params' | 'query' | 'body'>;
/** Gives the signer's id that the caller comes with, in the place of the right one; undefined: none. */
export type Link = (right: string) => string | undefined;

export interface Example {
  readonly call: api.Call;
  readonly kind: Kind;
  asked(rows: Rows, link: Link): Asked;
}

export const nobody = '00000000-0000-4000-8000-00000000dead';
const cpf = '52998224725';
const hash = 'ab'.repeat(32);
const base64 = Buffer.from('certificate').toString('base64');
const ticket = 'a-ticket-that-nobody-gave';
const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const };
const passkeyAnswer = { ...credential, response: { clientDataJSON: base64, authenticatorData: base64, signature: base64 } };
const newPasskey = { ...credential, response: { clientDataJSON: base64, attestationObject: base64 } };

const openLink = (rows: Rows, link: Link) => ({ signerId: link(rows.openSigner) ?? nobody });

function example<C extends api.Call>(
  kind: Kind,
  call: C,
  asked: (rows: Rows, link: Link) => Pick<CallInput<C>, 'params' | 'query' | 'body'> = () => ({}),
): Example {
  return { call, kind, asked: asked as Example['asked'] };
}

const byDigitalLink = (rows: Rows, link: Link) => ({ processId: rows.digital, signerId: link(rows.digitalSigner) ?? nobody });
/** The same of calls that a session of the signer's own makes without it. */
const byDigitalLinkOrOwn = (rows: Rows, link: Link) => ({ processId: rows.digital, signerId: link(rows.digitalSigner) });
const ofDone = (rows: Rows, link: Link) => ({
  params: { processId: rows.done, documentId: rows.doneDocument },
  query: { user: link(rows.doneSigner) },
});
const place = { latitude: -23.5, longitude: -46.6, accuracy: 20 };
const evidence = { ...place, signatureImage: signaturePng(), signatureImageContentType: 'image/png' };
const authorize = (rows: Rows, link: Link) => ({
  ...byDigitalLinkOrOwn(rows, link),
  userLegalIdentifier: cpf,
  userPsc: 'BIRDID',
  browser: hash,
  consentHash: hash,
});
const plain = { style: 'model', image: null } as const;
const basic = { id: 1 };

/** One request for every call of the wire, in an order in which one account can make them all; what ends something comes last. */
export const callExamples: readonly Example[] = [
  example('open', api.getManagementInfo),
  example('open', api.getTrust),
  example('open', api.getLocalSignerKey),
  example('open', api.getRevocationList, () => ({ params: { key: hash } })),
  example('open', api.getRequisitionInformation, (rows, link) => ({
    params: { processId: rows.open },
    query: { user: link(rows.openSigner) },
  })),
  example('open', api.requestPasswordReset, ({ email }) => ({ body: email })),
  example('open', api.register, ({ email }) => ({ body: { firstName: 'Eva', login: email, email, password: 'Tinteiro7' } })),

  example('open', api.beginSocialSignIn, () => ({ body: { provider: 'google' } })),
  example('secret', api.finishSocialSignIn, () => ({ body: { provider: 'google', query: `state=${hash}&code=code` } })),
  example('secret', api.registerSocial, ({ email }) => ({ body: { email, uid: 'uid' } })),
  example('secret', api.beginSingleSignOn),
  example('secret', api.finishSingleSignOn, () => ({ body: { query: `state=${hash}&code=code` } })),
  example('secret', api.leaveSingleSignOn),
  example('secret', api.authenticate, ({ email }) => ({ body: { username: email, password: 'Errada123' } })),
  example('secret', api.refreshSession),
  example('secret', api.finishSignIn, () => ({ body: { challenge: hash, code: '123456' } })),
  example('secret', api.beginSecondFactor, () => ({ body: { challenge: hash, kind: 'totp' as const } })),
  example('secret', api.finishSecondFactor, () => ({ body: { challenge: hash, code: '123456' } })),
  example('open', api.beginPasskeySignIn),
  example('secret', api.finishPasskeySignIn, () => ({ body: { challenge: hash, passkey: passkeyAnswer } })),
  example('secret', api.activateAccount, () => ({ query: { key: hash } })),
  example('secret', api.confirmAccount, () => ({ body: { key: hash } })),
  example('secret', api.finishPasswordReset, () => ({ body: { key: hash, newPassword: 'Caderno45' } })),
  example('open', api.loginValidation, (rows) => ({ query: { documentId: rows.doneDocument, emailSigner: 'alguem@exemplo.com.br' } })),
  example('secret', api.getValidation, (rows) => ({ query: { documentId: rows.doneDocument, ticket } })),
  example('secret', api.downloadValidated, (rows) => ({ query: { documentId: rows.doneDocument, ticket } })),
  example('secret', api.downloadValidatedPage, (rows) => ({ query: { documentId: rows.doneDocument, ticket } })),
  example('secret', api.createAuthorizeTransactionCallback, () => ({ body: { state: hash, code: 'code', id: 'psc', browser: hash } })),

  example('own', api.getAccount),
  example('own', api.saveAccount, () => ({
    body: { firstName: 'Outro Nome', lastName: '', langKey: 'pt-br' as const, timeZone: 'America/Manaus' },
  })),
  example('own', api.getSessions),
  example('own', api.cancelEmailChange),
  example('secret', api.confirmEmail, () => ({ body: { key: hash } })),
  example('own', api.changePassword, () => ({ body: { currentPassword: 'Errada123', newPassword: 'Caderno45' } })),
  example('own', api.getSecondFactors),
  example('own', api.beginTotp, () => ({ body: { proof: { password: 'Errada123' } } })),
  example('own', api.confirmTotp, () => ({ body: { code: '123456' } })),
  example('own', api.removeTotp, () => ({ body: { proof: { password: 'Errada123' } } })),
  example('own', api.askPasskey),
  example('own', api.beginPasskey, () => ({ body: { proof: { password: 'Errada123' } } })),
  example('own', api.addPasskey, () => ({ body: { challenge: hash, passkey: newPasskey, name: 'Chave' } })),
  example('own', api.renewBackupCodes, () => ({ body: { proof: { password: 'Errada123' } } })),
  example('rows', api.renamePasskey, ({ passkey }) => ({ params: { id: passkey }, body: { name: 'Minha' } })),
  example('own', api.listAccountIdentities, () => ({})),
  example('rows', api.unbindIdentity, ({ identity }) => ({ params: { id: identity }, body: { proof: { password: 'Errada123' } } })),
  example('rows', api.rebindIdentity, ({ identity }) => ({ params: { id: identity }, body: { proof: { password: 'Errada123' } } })),
  example('rows', api.removePasskey, ({ passkey }) => ({ params: { id: passkey }, body: { proof: { password: 'Errada123' } } })),
  example('own', api.hasPermission, () => ({ query: { actionFlowWebType: 'LOGIN' as const } })),
  example('own', api.getEmailUserLogged),
  example('own', api.getIdUserLogged),
  example('own', api.getCounterInfos),
  example('own', api.listContacts),
  example('own', api.getProcessesInfos, () => ({ query: { searchText: '' } })),
  example('own', api.checkUsageAlert),
  example('own', api.getDefaultElectronicModel),
  example('own', api.uploadDocuments),
  example('own', api.findUpload, () => ({ params: { uploadId: nobody } })),
  example('own', api.sendUploadPart, () => ({ params: { uploadId: nobody }, query: { from: 0 } })),
  example('own', api.signatureModels.list, () => ({ query: {} })),
  example('own', api.signatureModels.search, () => ({ query: { query: '' } })),
  example('own', api.signatureModels.create, () => ({ body: { ...defaultDigitalModel, name: `Modelo ${crypto.randomUUID()}` } })),
  example('administration', api.getSecondFactorPolicy),
  example('administration', api.saveSecondFactorPolicy, () => ({ body: { requiredOf: 'nobody' as const } })),
  example('administration', api.contractTypes.list, () => ({ query: {} })),
  example('administration', api.contractTypes.search, () => ({ query: { query: 'b' } })),
  example('administration', api.contractTypes.get, () => ({ params: basic })),
  example('administration', api.contractTypes.create, () => ({ body: { name: `Plano ${crypto.randomUUID().slice(0, 8)}` } })),
  example('administration', api.contractTypes.update, () => ({ params: basic, body: { name: 'Básico' } })),
  example('administration', api.contractTypes.remove, () => ({ params: basic })),

  example('administration', api.contracts.list, () => ({ query: {} })),
  example('administration', api.contracts.search, () => ({ query: { query: 'b' } })),
  example('administration', api.contracts.get, () => ({ params: basic })),
  example('administration', api.contracts.create, () => ({ body: { validity: '2099-01-01T00:00:00Z' } })),
  example('administration', api.contracts.update, () => ({ params: basic, body: { validity: '2099-01-01T00:00:00Z' } })),
  example('administration', api.contracts.remove, () => ({ params: basic })),
  example('administration', api.users.list, () => ({ query: {} })),
  example('administration', api.users.search, () => ({ query: { query: 'a' } })),
  example('administration', api.users.get, ({ account }) => ({ params: { id: account } })),
  example('administration', api.users.create, () => ({
    body: {
      email: `${crypto.randomUUID()}@exemplo.com.br`,
      firstName: 'Nova',
      langKey: 'pt-br' as const,
      authorities: ['ROLE_USER' as const],
    },
  })),
  // Done to nobody: what becomes of those who are there is tried elsewhere.
  example('administration', api.users.update, () => ({
    params: { id: nobody },
    body: { email: 'eva@exemplo.com.br', firstName: 'Eva', langKey: 'pt-br' as const, authorities: [] },
  })),
  example('administration', api.users.remove, () => ({ params: { id: nobody } })),
  example('administration', api.deactivateUser, () => ({ params: { id: nobody } })),
  example('administration', api.reactivateUser, () => ({ params: { id: nobody } })),
  example('administration', api.resendActivation, () => ({ params: { id: nobody } })),
  example('administration', api.endUserSessions, () => ({ params: { id: nobody } })),
  example('administration', api.exportPerson, () => ({ body: { email: 'ninguem@exemplo.com.br' } })),
  example('administration', api.erasePerson, () => ({ body: { email: 'ninguem@exemplo.com.br', confirmed: 'ninguem@exemplo.com.br' } })),
  example('administration', api.exportPersonalData, () => ({ params: { id: nobody } })),
  example('administration', api.erasePersonalData, () => ({ params: { id: nobody }, body: { email: 'ninguem@exemplo.com.br' } })),
  example('administration', api.listLogins, () => ({ query: {} })),
  example('administration', api.listAuthorities),
  example('administration', api.listAuditEvents, () => ({ query: { query: 'ninguém' } })),
  example('open', api.clarityEnable),
  example('administration', api.getInstallationHealth),
  example('administration', api.getSetup),
  example('administration', api.getMetrics),
  example('administration', api.getThreadDump),
  example('administration', api.getLoggers),
  example('administration', api.changeLogger, () => ({ params: { name: 'jobs' }, body: { configuredLevel: 'WARN' as const } })),
  example('administration', api.getConfigProps),
  example('administration', api.getEnvironment),
  example('administration', api.listInstallationCertificates),
  example('administration', api.sendTestMail),
  example('administration', api.checkStorage),
  example('administration', api.listJobKinds),
  example('administration', api.listFailedJobs, () => ({ query: {} })),
  example('administration', api.retryJob, () => ({ params: { name: 'send-mail', id: nobody } })),
  example('administration', api.listStuckProcesses),
  example('administration', api.retryStuckProcess, (rows) => ({ params: { id: rows.open } })),
  example('administration', api.getIcpBrasil),
  example('administration', api.uploadIcpBrasil),
  example('administration', api.fetchIcpBrasil),
  example('administration', api.resetSecondFactor, () => ({ params: { id: nobody } })),

  example('own', api.applicationUsers.list, () => ({ query: {} })),
  example('own', api.applicationUsers.search, () => ({ query: { query: 'a' } })),
  example('both', api.applicationUsers.get, ({ account }) => ({ params: { id: account } })),
  example('both', api.applicationUsers.create, ({ account }) => ({ body: { user: { id: account } } })),
  example('both', api.applicationUsers.update, ({ account }) => ({ params: { id: account }, body: { legalIdentifier: null } })),
  example('administration', api.applicationUsers.remove, () => ({ params: { id: nobody } })),
  ...[api.signatureProcesses, api.documents, api.signers, api.stakeholders, api.signatures].flatMap(({ list, search }) => [
    example('own', list, () => ({ query: {} })),
    example('own', search, () => ({ query: { query: 'a' } })),
  ]),
  example('rows', api.signatureProcesses.update, (rows) => ({ params: { id: rows.draft }, body: { title: 'Tomado' } })),
  example('rows', api.documents.get, (rows) => ({ params: { id: rows.openDocument } })),
  example('rows', api.documents.create, (rows) => ({ body: { name: 'tomado.pdf', hash: rows.documentHash } })),
  example('rows', api.documents.update, (rows) => ({ params: { id: rows.document }, body: { name: 'tomado.pdf' } })),
  example('rows', api.signers.get, (rows) => ({ params: { id: rows.openSigner } })),
  example('rows', api.signers.update, (rows) => ({
    params: { id: rows.draftSigner },
    body: { name: 'Eva Sá', email: 'eva@exemplo.com.br', order: 0 },
  })),
  example('rows', api.stakeholders.get, (rows) => ({ params: { id: rows.stakeholder } })),
  example('rows', api.stakeholders.update, (rows) => ({
    params: { id: rows.stakeholder },
    body: { name: 'Eva Sá', email: 'eva@exemplo.com.br' },
  })),
  example('rows', api.signatures.create, (rows) => ({ body: { signer: { id: rows.draftSigner }, document: { id: rows.draftDocument } } })),
  example('rows', api.signatures.get, (rows) => ({ params: { id: rows.signature } })),
  example('rows', api.signatures.update, (rows) => ({
    params: { id: rows.signature },
    body: { signer: { id: rows.draftSigner }, document: { id: rows.draftDocument } },
  })),
  example('rows', api.getSubDataProcess, (rows) => ({ params: { processId: rows.open } })),
  example('rows', api.getSignatureProcess, (rows) => ({ params: { id: rows.open } })),
  example('rows', api.getCurrentLinkSignature, (rows) => ({ params: { processId: rows.open }, query: { signerId: rows.openSigner } })),
  ...[api.getProcessStory, api.followProcess].map((call) => example('rows', call, (rows) => ({ params: { id: rows.open } }))),
  example('rows', api.getProcessTemplate, (rows) => ({ params: { id: rows.open } })),
  example('rows', api.tellSignerAgain, (rows) => ({
    params: { id: rows.open, signerId: rows.openSigner },
    body: { as: 'reminder' as const },
  })),
  example('rows', api.correctSigner, (rows) => ({
    params: { id: rows.open, signerId: rows.openSigner },
    body: { name: 'Outra Pessoa', email: 'outra@exemplo.com.br' },
  })),
  example('rows', api.awaitDrawing, (rows, link) => ({ params: openLink(rows, link), body: { processId: rows.open } })),
  example('secret', api.getAwaitedDrawing, (rows, link) => ({ params: { ...openLink(rows, link), drawingId: nobody } })),
  example('secret', api.openDrawing, () => ({ body: { key: hash } })),
  example('secret', api.deliverDrawing, () => ({ body: { key: hash, image: signaturePng() } })),
  example('secret', api.askLinkCode, (rows, link) => ({ params: openLink(rows, link) })),
  example('secret', api.confirmLinkCode, (rows, link) => ({ params: openLink(rows, link), body: { code: '123456' } })),
  example('rows', api.viewDocument, (rows, link) => ({
    params: { documentId: rows.openDocument },
    query: { user: link(rows.openSigner) },
  })),
  example('rows', api.downloadOriginal, (rows, link) => ({ params: { id: rows.openDocument }, query: { user: link(rows.openSigner) } })),
  example('rows', api.downloadSignature, ofDone),
  example('rows', api.downloadWithFooter, (rows, link) => ({ params: { id: rows.doneDocument }, query: { user: link(rows.doneSigner) } })),
  example('rows', api.downloadEvidence, ofDone),
  example('rows', api.downloadSignaturePage, ofDone),
  example('rows', api.getDownloadItems, (rows, link) => ({ params: { processId: rows.done }, query: { user: link(rows.doneSigner) } })),
  example('rows', api.downloadSelection, (rows, link) => ({
    params: { processId: rows.done },
    query: { user: link(rows.doneSigner), items: `${rows.doneDocument},evidence` },
  })),
  example('rows', api.registerSignatureEvidence, (rows, link) => ({
    body: { processId: rows.open, signerId: link(rows.openSigner) ?? nobody },
  })),
  example('rows', api.generateEvidencePage, (rows, link) => ({ body: { processId: rows.done, signerId: link(rows.doneSigner) } })),
  example('rows', api.checkSignerCpf, (rows, link) => ({ params: openLink(rows, link), body: { processId: rows.open, cpf } })),
  ...[api.getSignatureStatus, api.followSigning].map((call) =>
    example('rows', call, (rows, link) => ({ params: { processId: rows.open, ...openLink(rows, link) } })),
  ),
  example('rows', api.findCertificates, (rows, link) => ({ params: { cpf }, query: byDigitalLinkOrOwn(rows, link) })),
  example('rows', api.findCertificatesByPost, (rows, link) => ({ body: { ...byDigitalLinkOrOwn(rows, link), cpf } })),
  example('rows', api.createUrlAuthorize, (rows, link) => ({ query: authorize(rows, link) })),
  example('rows', api.createUrlAuthorizeByPost, (rows, link) => ({
    body: { ...authorize(rows, link), appearance: plain },
  })),
  example('rows', api.requestLocalCertificate, (rows, link) => ({ body: byDigitalLink(rows, link) })),
  example('rows', api.prepareLocalSignature, (rows, link) => ({
    body: {
      ...byDigitalLink(rows, link),
      cpf,
      source: 'file' as const,
      certificate: base64,
      chain: [],
      consentHash: hash,
      appearance: plain,
    },
  })),
  // An attempt of somebody else is none, and none is one to prepare anew.
  example('secret', api.completeLocalSignature, (rows, link) => ({
    body: { ...byDigitalLink(rows, link), attemptId: nobody, signatures: [{ documentId: rows.digitalDocument, value: base64 }] },
  })),
  example('rows', api.cancelSigningAttempt, (rows, link) => ({ body: byDigitalLink(rows, link) })),
  example('rows', api.initEletronicSignature, (rows, link) => ({
    body: {
      processId: rows.open,
      signerId: link(rows.openSigner),
      cpf,
      name: 'Eva Sá',
      consentHash: hash,
      signatureEvidence: evidence,
    },
  })),
  // The link alone says what it is about.
  example('own', api.registerOpened, (rows, link) => ({ params: openLink(rows, link) })),
  example('own', api.setSignerLanguage, (rows, link) => ({ params: openLink(rows, link), body: { langKey: 'es' as const } })),
  example('rows', api.createSignatureProcess, (rows) => ({
    body: { title: 'Meu', dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE' as const, files: [{ id: rows.document }] },
  })),
  example('rows', api.createSigner, (rows) => ({
    body: {
      signer: { name: 'Eva Sá', email: 'eva@exemplo.com.br', order: 7, signatureProcess: { id: rows.draft } },
      signatureVisibleActive: false,
      visibleSignature: [],
    },
  })),
  example('rows', api.createStakeholder, (rows) => ({
    body: { name: 'Eva Sá', email: 'eva@exemplo.com.br', signatureProcess: { id: rows.draft } },
  })),
  example('rows', api.signatures.remove, (rows) => ({ params: { id: rows.signature } })),
  example('rows', api.stakeholders.remove, (rows) => ({ params: { id: rows.stakeholder } })),
  example('rows', api.signers.remove, (rows) => ({ params: { id: rows.openSigner } })),
  example('rows', api.documents.remove, (rows) => ({ params: { id: rows.openDocument } })),
  example('rows', api.signatureProcesses.remove, (rows) => ({ params: { id: rows.open } })),
  example('rows', api.startSignatureProcess, (rows) => ({ params: { id: rows.draft } })),
  example('rows', api.signatureModels.get, (rows) => ({ params: { id: rows.model } })),
  example('rows', api.signatureModels.update, (rows) => ({ body: { ...defaultDigitalModel, id: rows.model, name: 'Tomado' } })),
  example('rows', api.signatureModels.remove, (rows) => ({ params: { id: rows.model } })),
  example('rows', api.createSignatureRejected, (rows, link) => ({
    body: { rejectCause: 'Não é meu', processId: rows.digital, signerId: link(rows.digitalSigner) ?? null },
  })),
  example('rows', api.cancelProcess, (rows) => ({ params: { id: rows.open } })),
  example('own', api.companies.list, () => ({ query: {} })),
  example('own', api.companies.search, () => ({ query: { query: '' } })),
  example('both', api.companies.get, (rows) => ({ params: { id: rows.company } })),
  example('both', api.companies.update, (rows) => ({ params: { id: rows.company }, body: { name: 'Tomada' } })),
  example('both', api.patchCompany, (rows) => ({ params: { id: rows.company }, body: { brandColor: '#112233' } })),
  example('both', api.setCompanyLogo, (rows) => ({ params: { id: rows.company }, body: { image: null } })),
  example('both', api.getCompanyOverview, (rows) => ({ params: { id: rows.company } })),
  example('both', api.inviteCompany, (rows) => ({ body: { emails: ['bia@empresa.com.br'], companyId: rows.company } })),
  example('own', api.inviteCompanyByGet, () => ({ params: { emails: 'bia@empresa.com.br' } })),
  example('both', api.resendCompanyInvitation, (rows) => ({ params: { id: rows.invitation } })),
  example('both', api.revokeCompanyInvitation, (rows) => ({ params: { id: rows.invitation } })),
  example('rows', api.signatureProcessListById, (rows) => ({ params: { id: rows.colleague }, query: {} })),
  ...[api.makeAdministrator, api.makeAdministratorByGet, api.makeUser, api.makeUserByGet].map((call) =>
    example('both', call, (rows) => ({ params: { companyId: rows.company, userId: rows.colleague } })),
  ),
  example('both', api.removeUser, (rows) => ({ params: { companyId: rows.company, userId: rows.colleague } })),
  example('secret', api.removeUserByGet, (rows) => ({ params: { companyId: rows.company, userId: rows.account } })),
  example('secret', api.getCompanyInvitation, (rows) => ({ params: { id: rows.invitation, user: ticket } })),
  ...[api.acceptInviteCompany, api.acceptInviteCompanyByGet].map((call) =>
    example('secret', call, (rows) => ({ params: { id: rows.invitation, user: ticket } })),
  ),
  ...[api.retention, api.retentionByGet].map((call) => example('own', call, () => ({ params: { maxDocSize: 20, maxTime: 90 } }))),
  example('own', api.sizeIsAllowed, () => ({ params: { size: 1 } })),
  example('own', api.findCompanyCurrentUser),
  example('own', api.companies.create, () => ({ body: { name: 'Outra empresa' } })),
  example('administration', api.companies.remove, () => ({ params: { id: nobody } })),
  example('open', api.getCompanyLogo, () => ({ params: { hash } })),
  example('rows', api.endSession, (rows) => ({ params: { id: rows.session } })),
  example('own', api.endOtherSessions),
  example('own', api.logout),
];
