import { removeOldCounters } from './access/limits.store.ts';
import { removeEndedSessions } from './access/sessions.store.ts';
import { removeOldEvents } from './audit/audit.store.ts';
import { removeExpiredKeys } from './features/accounts/accounts.store.ts';
import { forgetOldDevices, removeStrangeDevices } from './features/accounts/devices.store.ts';
import { removeOldAnswers } from './http/idempotency.store.ts';
import { removeOldMails } from './mail/mail.store.ts';
import { forgetOldAddresses } from './outside/list-addresses.store.ts';
import { removeExpiredAnswers } from './outside/outside-answers.store.ts';
import { removeOldFlows } from './features/accounts/social/identities.store.ts';
import { singleSignOnRoutes } from './features/accounts/single-sign-on/single-sign-on.routes.ts';
import { socialRoutes } from './features/accounts/social/social.routes.ts';
import { accountRoutes } from './features/accounts/accounts.routes.ts';
import { applicationUserEntity } from './features/accounts/application-user-entity.ts';
import { administeredUsers } from './features/accounts/administered-users.ts';
import { userRoutes } from './features/accounts/users.routes.ts';
import { accountSettingsRoutes } from './features/accounts/account-settings.routes.ts';
import { sweepUnconfirmedJob } from './features/accounts/sweep-unconfirmed.job.ts';
import { removeOldChallenges } from './features/accounts/second-factor/challenges.store.ts';
import { secondFactorRoutes } from './features/accounts/second-factor/second-factor.routes.ts';
import { mailResetLinkJob } from './features/accounts/mail-reset-link.job.ts';
import { authorityRoutes } from './features/authority/authority.routes.ts';
import { markTimeJob } from './features/clock/clock-watch.ts';
import { companyRoutes } from './features/companies/companies.routes.ts';
import { companyRoom } from './features/companies/company-room.ts';
import { removeOldInvitations } from './features/companies/invitations.store.ts';
import { documentEntity } from './features/documents/document-entity.ts';
import { documentRoutes } from './features/documents/documents.routes.ts';
import { recountRoom } from './features/documents/documents.store.ts';
import { removeOldParts } from './features/documents/upload-parts.store.ts';
import { contractRoom } from './features/contracts/contracts.ts';
import { contractTypeRoom } from './features/plans/contract-types.store.ts';
import { entityRoutes } from './entities/entity.routes.ts';
import { downloadRoutes } from './features/downloads/downloads.routes.ts';
import { removeOldWarnings } from './features/management/expiry-warnings.store.ts';
import { type Outdated, sweepFoundationJob } from './features/management/sweep-foundation.job.ts';
import { watchExpiryJob } from './features/management/watch-expiry.job.ts';
import { finalizeProcessJob, resumeFinalizationJob } from './features/sealing/finalize-process.job.ts';
import { sweepDraftsJob } from './features/processes/creation/sweep-drafts.job.ts';
import { announceEndJob } from './features/processes/life/announce-end.job.ts';
import { expireProcessesJob } from './features/processes/life/expire-processes.job.ts';
import { sendRemindersJob } from './features/processes/life/send-reminders.job.ts';
import { usesModel } from './features/processes/processes.store.ts';
import { tellSignersJob } from './features/processes/life/tell-signers.job.ts';
import { checkListsJob } from './features/processes/reading/check-lists.job.ts';
import { processEntity, signatureEntity, signerEntity, stakeholderEntity } from './features/processes/entities/process-entities.ts';
import { checkUsageJob } from './features/processes/reading/check-usage.job.ts';
import { foldCountsJob } from './features/processes/reading/fold-counts.job.ts';
import { processPageRoutes } from './features/processes/process-page.routes.ts';
import { processRoutes } from './features/processes/processes.routes.ts';
import { defaultModelRoutes } from './features/signature-models/signature-models.routes.ts';
import { signatureModelRoom } from './features/signature-models/signature-models.store.ts';
import { cloudSigningRoutes } from './features/signing/cloud/cloud-signing.routes.ts';
import { endLapsedClaimJob } from './features/signing/cloud/end-lapsed-claim.job.ts';
import { pollPushAuthorizationJob } from './features/signing/cloud/poll-push-authorization.job.ts';
import { signCloudJob } from './features/signing/cloud/sign-cloud.job.ts';
import { signElectronicJob } from './features/signing/electronic/sign-electronic.job.ts';
import { completeLocalJob } from './features/signing/local/complete-local.job.ts';
import { prepareDocumentsJob, resumePreparationJob } from './features/signing/prepare-documents.job.ts';
import { signingRoutes } from './features/signing/signing.routes.ts';
import { sweepAttemptsJob } from './features/signing/sweep-attempts.job.ts';
import { auditStorageJob, sweepStorageJob, watchStorageFaultsJob } from './features/stored-files/stored-files.job.ts';
import { fetchIcpBrasilJob } from './features/trust-lists/fetch-icp-brasil.job.ts';
import { eraseFilesJob } from './features/personal-data/erase-files.job.ts';
import { forgetPeopleJob } from './features/personal-data/forget-people.job.ts';
import { personalDataRoutes } from './features/personal-data/personal-data.routes.ts';
import { removeOldFilesJob } from './features/retention/remove-old-files.job.ts';
import { trustListRoutes } from './features/trust-lists/trust-lists.routes.ts';
import { verificationRoutes } from './features/verification/verification.routes.ts';
import type { Routes } from './http/app.ts';
import { openApiRoutes } from './http/openapi/openapi.routes.ts';
import { eachMinuteJob } from './jobs/each-minute.ts';
import type { Job } from './jobs/queue.ts';
import { resumeMailJob, sendMailJob } from './mail/send-mail.job.ts';

/** Every feature's routes. */
export const features: readonly Routes[] = [
  accountRoutes,
  socialRoutes,
  singleSignOnRoutes,
  entityRoutes(administeredUsers),
  userRoutes,
  entityRoutes(applicationUserEntity),
  personalDataRoutes,
  accountSettingsRoutes,
  secondFactorRoutes,
  authorityRoutes,
  entityRoutes(contractTypeRoom),
  entityRoutes(contractRoom),
  entityRoutes(companyRoom),
  companyRoutes,
  documentRoutes,
  entityRoutes(documentEntity),
  downloadRoutes,
  processRoutes,
  entityRoutes(processEntity),
  entityRoutes(signerEntity),
  entityRoutes(stakeholderEntity),
  entityRoutes(signatureEntity),
  processPageRoutes,
  defaultModelRoutes,
  entityRoutes(signatureModelRoom, [usesModel]),
  signingRoutes,
  cloudSigningRoutes,
  trustListRoutes,
  verificationRoutes,
  openApiRoutes,
];

/** What runs out, and how long each room keeps it. */
export const outdated: readonly Outdated[] = [
  { days: 1, remove: removeOldCounters },
  { days: 1, remove: (ctx, before) => removeOldParts(ctx, before) },
  // Behind them: what uploads that died had taken of their accounts' room.
  { days: 1, remove: (ctx) => recountRoom(ctx) },
  { days: 1, remove: removeOldChallenges },
  { days: 2, remove: removeOldAnswers },
  { days: 1, remove: removeOldFlows },
  { days: 30, remove: removeExpiredKeys },
  { days: 30, remove: removeEndedSessions },
  { days: 180, remove: forgetOldDevices },
  // An activation key, which may need its browser, lives three days.
  { days: 4, remove: removeStrangeDevices },
  // The trigger lets a year's rows go; a day of grace for a leap year.
  { days: 366, remove: removeOldEvents },
  { days: 0, remove: removeExpiredAnswers },
  // An authority that nobody has signed or verified with for a year is learnt anew when somebody does.
  { days: 366, remove: forgetOldAddresses },
  { days: 30, remove: removeOldInvitations },
  // What it said went when it was delivered; that it was, and to whom, is nobody's business for ever.
  { days: 30, remove: removeOldMails },
  // What ended long ago nobody is warned of again.
  { days: 366, remove: removeOldWarnings },
];

/** Every kind of job that this installation runs; the ones with a cron start by themselves. */
export const jobs: readonly Job<never>[] = [
  sendMailJob,
  resumeMailJob,
  mailResetLinkJob,
  sweepUnconfirmedJob,
  tellSignersJob,
  announceEndJob,
  prepareDocumentsJob,
  resumePreparationJob,
  signElectronicJob,
  pollPushAuthorizationJob,
  endLapsedClaimJob,
  signCloudJob,
  completeLocalJob,
  finalizeProcessJob,
  resumeFinalizationJob,
  expireProcessesJob,
  sendRemindersJob,
  sweepDraftsJob,
  foldCountsJob,
  checkListsJob,
  checkUsageJob,
  sweepAttemptsJob,
  markTimeJob,
  sweepFoundationJob(outdated),
  sweepStorageJob,
  auditStorageJob,
  removeOldFilesJob,
  eraseFilesJob,
  forgetPeopleJob,
  watchStorageFaultsJob,
  fetchIcpBrasilJob,
  watchExpiryJob,
  // The clock first: the others wait for it where it is behind.
  eachMinuteJob([markTimeJob, expireProcessesJob, sweepAttemptsJob, sweepDraftsJob, foldCountsJob]),
];
