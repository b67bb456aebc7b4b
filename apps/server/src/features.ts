import { accountRoutes } from './features/accounts/accounts.routes.ts';
import { mailResetLinkJob } from './features/accounts/mail-reset-link.job.ts';
import { authorityRoutes } from './features/authority/authority.routes.ts';
import { markTimeJob } from './features/clock/clock-watch.ts';
import { documentRoutes } from './features/documents/documents.routes.ts';
import { contractTypeRoom } from './features/plans/contract-types.store.ts';
import { entityRoutes } from './entities/entity.routes.ts';
import { downloadRoutes } from './features/downloads/downloads.routes.ts';
import { sweepFoundationJob } from './features/management/sweep-foundation.job.ts';
import { finalizeProcessJob, resumeFinalizationJob } from './features/sealing/finalize-process.job.ts';
import { sweepDraftsJob } from './features/processes/creation/sweep-drafts.job.ts';
import { announceEndJob } from './features/processes/life/announce-end.job.ts';
import { expireProcessesJob } from './features/processes/life/expire-processes.job.ts';
import { sendRemindersJob } from './features/processes/life/send-reminders.job.ts';
import { usesModel } from './features/processes/processes.store.ts';
import { tellSignersJob } from './features/processes/life/tell-signers.job.ts';
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
import { verificationRoutes } from './features/verification/verification.routes.ts';
import type { Routes } from './http/app.ts';
import type { Job } from './jobs/queue.ts';
import { resumeMailJob, sendMailJob } from './mail/send-mail.job.ts';

/** Every feature's routes. */
export const features: readonly Routes[] = [
  accountRoutes,
  authorityRoutes,
  entityRoutes(contractTypeRoom),
  documentRoutes,
  downloadRoutes,
  processRoutes,
  defaultModelRoutes,
  entityRoutes(signatureModelRoom, [usesModel]),
  signingRoutes,
  cloudSigningRoutes,
  verificationRoutes,
];

/** Every kind of job that this installation runs; the ones with a cron start by themselves. */
export const jobs: readonly Job<never>[] = [
  sendMailJob,
  resumeMailJob,
  mailResetLinkJob,
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
  sweepAttemptsJob,
  markTimeJob,
  sweepFoundationJob,
  sweepStorageJob,
  auditStorageJob,
  watchStorageFaultsJob,
];
