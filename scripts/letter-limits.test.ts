import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { rateLimits } from '@lavra/api';
import { checkedSigner, isReminder, limits, passwordStrength } from '@lavra/domain';

/** Section 9, copied from its table. */
const constants = {
  entityPageSize: 20,
  processPageSize: 10,
  paginationButtons: 5,
  downloadPageSize: 5,
  requestTimeoutMs: 60_000,
  passwordFieldMin: 4,
  passwordFieldMax: 50,
  passwordMin: 6,
  nameMax: 50,
  emailMin: 5,
  emailMax: 254,
  signerEmailMax: 50,
  signerPhoneMax: 20,
  rejectCauseMax: 500,
  reminderDays: [1, 2, 3, 7, 14],
  pixelToPoint: 0.75,
  successPopupMs: 2000,
  successRedirectMs: 100,
  ipLookupsMost: 4,
  ipLookupMs: 5000,
  ipLookupDelayMs: 1000,
  signingStatusPollMs: 3000,
  digitalAuthorizationTimeoutMs: 90_000,
  callbackCloseMs: 5000,
  chunkLoadTimeoutMs: 120_000,
  socialRedirectDelayMs: 1000,
  popupClosedFirstMs: 1500,
  popupClosedSecondMs: 3500,
  rememberCookieDays: 100,
  dragAutoScrollZonePx: 125,
  modelWidthMin: 100,
  modelHeightMin: 50,
  modelFontSizeMin: 1,
  modelPaddingMin: 0,
  passwordStrengthThresholds: [10, 20, 30, 40],
};

/** The decisions beside it: what closes and removes a draft, and the warning before files go. */
const decided = { draftAutoStartSeconds: 60, draftLifetimeHours: 24, retentionWarningDays: 7 };

/** Where neither says a number: what we promise in documents, mails and refusals. */
const ours = {
  searchCountedTo: 100,
  recordsCountedTo: 10_000,
  uploadPartBytes: 2_097_152,
  uploadPartsMost: 1000,
  uploadResumeHours: 12,
  signatureImageMaxBytes: 2_097_152,
  titleMax: 255,
  documentsPerProcessMax: 50,
  signersPerProcessMax: 100,
  quantityMax: 50,
  boxesPerSignerMax: 1000,
  boxesPerProcessMax: 5000,
  peoplePerHourNewSender: 50,
  peoplePerHour: 5000,
  newSenderDays: 7,
  newSenderFinishedProcesses: 3,
  endedLinkDays: 30,
  linkCodeMinutes: 15,
  linkCodeTries: 5,
  drawingMinutes: 10,
  modelSideMax: 1000,
  modelFontSizeMax: 144,
  modelPaddingMax: 100,
  modelTextMax: 500,
  companyNameMax: 150,
  companyDocSizeMaxMb: 2048,
  companyRetentionMaxDays: 36_500,
  companyLogoMaxBytes: 102_400,
  companyInvitationDays: 14,
  companyInvitationsPerCall: 50,
};

/** Where each number of section 9 and of the decisions takes effect, and how often: a number of its own there would be another one. */
const uses: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  entityPageSize: { 'server/src/entities/records.ts': 3, 'web/src/entities/entity-list.tsx': 1 },
  processPageSize: {
    'server/src/features/processes/reading/list-processes.ts': 1,
    'web/src/features/processes/reading/use-process-list.ts': 2,
  },
  paginationButtons: { 'web/src/ui/pagination.tsx': 3 },
  downloadPageSize: { 'web/src/features/downloads/download.page.tsx': 3 },
  requestTimeoutMs: { 'web/src/lib/api-client.ts': 1, 'web/src/lib/stalled.ts': 1, 'web/src/lib/renew-token.ts': 1 },
  passwordFieldMax: { 'web/src/features/accounts/new-password.tsx': 2, 'web/src/features/accounts/new-password-fault.ts': 1 },
  passwordFieldMin: { 'web/src/features/accounts/new-password-fault.ts': 1 },
  nameMax: { 'web/src/features/accounts/register-form.tsx': 1, 'web/src/ui/name-field.tsx': 5 },
  emailMax: {
    'web/src/features/accounts/register-form.tsx': 1,
    'web/src/features/accounts/reset-request.page.tsx': 1,
    'web/src/features/processes/creation/stakeholders-section.tsx': 1,
  },
  signerEmailMax: {
    'web/src/features/processes/creation/signer-form.tsx': 2,
    'web/src/features/processes/creation/handed-state.ts': 1,
    'web/src/features/processes/creation/pasted-people.ts': 1,
    'web/src/features/processes/reading/correct-signer.tsx': 1,
  },
  signerPhoneMax: {
    'web/src/features/processes/reading/correct-signer.tsx': 1,
    'web/src/features/processes/creation/signer-form.tsx': 1,
    'web/src/features/processes/creation/handed-state.ts': 1,
  },
  rejectCauseMax: { 'server/src/features/signing/reject-signature.ts': 2, 'web/src/features/signing/reject-dialog.tsx': 3 },
  reminderDays: { 'web/src/features/processes/creation/reminder-section.tsx': 2 },
  pixelToPoint: { 'web/src/features/signature-models/model-preview.tsx': 1 },
  successPopupMs: { 'web/src/features/processes/reading/cancel-process.tsx': 1 },
  ipLookupMs: { 'web/src/features/signing/own-address.ts': 1 },
  ipLookupDelayMs: { 'web/src/features/signing/own-address.ts': 1 },
  ipLookupsMost: { 'server/src/config-variables.ts': 2 },
  signingStatusPollMs: { 'web/src/features/signing/use-signature-status.ts': 1 },
  digitalAuthorizationTimeoutMs: { 'server/src/features/signing/cloud/begin-cloud-authorization.ts': 1 },
  callbackCloseMs: { 'web/src/features/signing/callback.page.tsx': 1 },
  chunkLoadTimeoutMs: { 'web/src/lib/lazy-pages.ts': 1 },
  socialRedirectDelayMs: { 'web/src/features/accounts/social/social-outcome.tsx': 1 },
  popupClosedFirstMs: { 'web/src/features/accounts/social/use-social-sign-in.ts': 1 },
  popupClosedSecondMs: { 'web/src/features/accounts/social/use-social-sign-in.ts': 1 },
  rememberCookieDays: { 'web/src/features/signing/remembered-signer.ts': 1 },
  dragAutoScrollZonePx: { 'web/src/pdf/auto-scroll.ts': 1 },
  draftAutoStartSeconds: { 'server/src/features/processes/creation/sweep-drafts.job.ts': 1 },
  draftLifetimeHours: { 'server/src/features/processes/creation/sweep-drafts.job.ts': 1 },
  retentionWarningDays: { 'server/src/features/processes/life/kept-files.store.ts': 1 },
};

const asked = (file: string, name: string) =>
  [...readFileSync(`apps/${file}`, 'utf8').matchAll(new RegExp(`\\blimits\\.${name}\\b`, 'g'))].length;

describe('numbers, to the letter', () => {
  it('are those of section 9, of the decisions and of ours, and no others', () =>
    assert.deepEqual({ ...limits }, { ...constants, ...decided, ...ours }));
  for (const [name, value] of Object.entries({ ...constants, ...decided, ...ours }))
    it(`${name}: ${String(value)}`, () => assert.deepEqual(limits[name as keyof typeof limits], value));
  for (const [name, files] of Object.entries(uses))
    for (const [file, times] of Object.entries(files)) it(`${name} holds at ${file}`, () => assert.equal(asked(file, name), times));

  it('signer e-mail max 50; signer phone max 20', () => {
    const signer = { name: 'Ana Souza', email: `${'a'.repeat(38)}@exemplo.com`, phoneNumber: '1'.repeat(20), order: 0 };
    assert.equal(signer.email.length, 50);
    assert.equal(checkedSigner(signer).email, signer.email);
    assert.throws(() => checkedSigner({ ...signer, email: `a${signer.email}` }), { code: 'signer.emailInvalid' });
    assert.throws(() => checkedSigner({ ...signer, phoneNumber: '1'.repeat(21) }), { code: 'signer.phoneInvalid' });
  });
  it('reminder choices 1, 2, 3, 7, 14 days, or none', () => {
    const taken = Array.from({ length: 31 }, (_, days) => days).filter(isReminder);
    assert.deepEqual([taken, isReminder(null)], [[1, 2, 3, 7, 14], true]);
  });
  it('password strength: score from length and character classes, 5 levels', () => {
    const levels = ['aaaaa', 'aaaaaa', 'aaaaaaaa', 'Aaaaaaaa', 'Aaaaaaa1', 'Aaaaaa1-', 'Aaaaaaaaaa1-'].map(passwordStrength);
    assert.deepEqual(levels, [1, 2, 3, 3, 4, 4, 5]);
  });
});

describe('failures to sign in, as decided', () => {
  const minutes15 = { seconds: 900, at: 'later', guards: true };
  it('five per account and address together', () =>
    assert.deepEqual(rateLimits.login, { by: 'account and address', most: 5, ...minutes15 }));
  it('fifty per account', () => assert.deepEqual(rateLimits['login-account'], { by: 'e-mail', most: 50, ...minutes15 }));
  it('fifty per address', () => assert.deepEqual(rateLimits['login-address'], { by: 'address', most: 50, ...minutes15 }));
  it('five of a device that signed in before, which passes', () =>
    assert.deepEqual(rateLimits['login-device'], { by: 'account and device', most: 5, ...minutes15 }));
  it('lock for 15 minutes, and slow down before', () => {
    const attempts = readFileSync('apps/server/src/features/accounts/sign-in-attempts.ts', 'utf8');
    assert.match(attempts, /LOCK_SECONDS = 15 \* 60;/);
    assert.match(attempts, /lockedFor\(ctx, doors, LOCK_SECONDS\)/);
    assert.match(attempts, /rateLimits\[name\]\.most \* share/);
    assert.match(attempts, /sleep\(\(\(counts\[0\] \?\? 1\) - 1\) \* SLOWER_BY_MS\)/);
  });
});
