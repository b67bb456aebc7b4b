/** Section 9 of the specification, and a few of our own. Units stand in the names. */
export const limits = {
  entityPageSize: 20,
  processPageSize: 10,
  paginationButtons: 5,
  /** Ours: so many hits of a search are counted for certain. */
  searchCountedTo: 100,
  /** Ours: so many records of an entity's list are. */
  recordsCountedTo: 10_000,
  downloadPageSize: 5,
  requestTimeoutMs: 60_000,
  /** Of a file that goes up in pieces: one piece at most, how many of them, and how long what has come waits for the rest. */
  uploadPartBytes: 2 * 1024 * 1024,
  uploadPartsMost: 1000,
  uploadResumeHours: 12,
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
  /** CSS pixel to PDF point. */
  pixelToPoint: 0.75,
  successPopupMs: 2000,
  /** From the end of a success popup to the page that follows it. */
  successRedirectMs: 100,
  /** Public services that tell a browser its address, where an installation names any: how many, how long each is waited for, and after what delay the first is asked. */
  ipLookupsMost: 4,
  ipLookupMs: 5_000,
  ipLookupDelayMs: 1_000,
  signingStatusPollMs: 3000,
  digitalAuthorizationTimeoutMs: 90_000,
  /** A window of a certificate’s provider closes itself so long after its answer. */
  callbackCloseMs: 5000,
  /** A page’s script that has not come by then does not come any more. */
  chunkLoadTimeoutMs: 120_000,
  socialRedirectDelayMs: 1000,
  popupClosedFirstMs: 1500,
  popupClosedSecondMs: 3500,
  rememberCookieDays: 100,
  dragAutoScrollZonePx: 125,
  signatureImageMaxBytes: 2 * 1024 * 1024,
  titleMax: 255,
  documentsPerProcessMax: 50,
  signersPerProcessMax: 100,
  /** Boxes of one signer in each document. */
  quantityMax: 50,
  /** Signature boxes: as many as anybody places by hand, and copies of them on every page. */
  boxesPerSignerMax: 1000,
  boxesPerProcessMax: 5000,
  /** Ours: people whom one account may call to sign or to be told, an hour. */
  peoplePerHourNewSender: 50,
  peoplePerHour: 5000,
  /** Ours: until then an account is new, and its words stand in no subject. */
  newSenderDays: 7,
  newSenderFinishedProcesses: 3,
  /** Ours: how long links of a process that ended without success still show its documents. */
  endedLinkDays: 30,
  /** Days between the warning that files go and their going. */
  retentionWarningDays: 7,
  /** Ours: of the code that a link handed over by the sender asks for. */
  linkCodeMinutes: 15,
  linkCodeTries: 5,
  /** Ours: how long a computer waits for a signature that is drawn on a telephone. */
  drawingMinutes: 10,
  draftLifetimeHours: 24,
  draftAutoStartSeconds: 60,
  modelWidthMin: 100,
  modelHeightMin: 50,
  modelFontSizeMin: 1,
  modelPaddingMin: 0,
  /** Ours: nothing larger fits a page. */
  modelSideMax: 1000,
  modelFontSizeMax: 144,
  modelPaddingMax: 100,
  modelTextMax: 500,
  /** Ours: Receita Federal's own names of companies are as long. */
  companyNameMax: 150,
  companyDocSizeMaxMb: 2048,
  companyRetentionMaxDays: 36_500,
  companyLogoMaxBytes: 100 * 1024,
  /** Ours: until then an invitation into a company is accepted, or asked for again. */
  companyInvitationDays: 14,
  companyInvitationsPerCall: 50,
  passwordStrengthThresholds: [10, 20, 30, 40],
} as const;
