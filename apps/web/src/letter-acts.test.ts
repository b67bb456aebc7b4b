import { holdLines, type Lines } from './testing/letter-lines.ts';

const creating: Lines = {
  'Dropzone and Import button (PDF)': [
    'features/processes/creation/file-dropzone.tsx',
    'accept="application/pdf,.pdf"',
    `{t('home.import')}`,
    'onDrop={drop}',
  ],
  'Only PDF accepted; duplicate file names rejected': [
    'features/processes/creation/chosen-files.ts',
    `!/\\.pdf$/i.test(file.name) || (file.type !== '' && file.type !== 'application/pdf')) return 'document.notPdf'`,
    `? 'process.duplicateFileName'`,
  ],
  'three counter cards (requested, pending, received) acting as toggle filters': [
    'features/processes/reading/use-process-list.ts',
    `['requested', 'pending', 'received']`,
    `sortRequested: flag(filters.includes('requested'))`,
    `sortReceived: flag(filters.includes('received'))`,
    `sortPending: flag(filters.includes('pending'))`,
  ],
  'default sort createdDate descending': [
    'features/processes/reading/use-process-list.ts',
    `?? 'createdDate'`,
    `direction: order === 'asc' ? 'asc' : 'desc'`,
  ],
  'Expanding a row shows dates, a signers table, the documents, and buttons to cancel the process or download': [
    'features/processes/reading/process-details.tsx',
    '<ProcessFacts',
    '<ProcessPeople',
    '<ProcessDocuments',
    '<CancelProcess id={item.id} title={item.title} can={item.can.cancel} />',
    'to={`/download/${item.id}`}',
  ],
  'Prepare: title, general deadline, individual deadlines': [
    'features/processes/creation/deadlines-section.tsx',
    `<Switch label={t('prepare.generalDeadline')}`,
    `<Switch label={t('prepare.individualDeadlines')}`,
    'min={minimumDeadline(new Date()).toISOString()}',
  ],
  'multiple-signatures switch': ['features/processes/creation/signers-section.tsx', `<Switch label={t('prepare.multiple')}`],
  'table (order, name, email, quantity, individual deadline, delete)': [
    'features/processes/creation/signers-table.tsx',
    `<th scope="col">{t('word.order')}</th> <th scope="col">{t('word.name')}</th> <th scope="col">{t('word.email')}</th>`,
    `{columns.quantity && <th scope="col">{t('prepare.quantity')}</th>} {columns.deadline && <th scope="col">{t('prepare.deadline')}</th>}`,
    `t('prepare.removeNamed'`,
    'min={1}',
  ],
  'interested-parties switch with name/email form and table': [
    'features/processes/creation/stakeholders-section.tsx',
    `label={t('prepare.hasStakeholders')}`,
    `label={t('word.name')}`,
    `label={t('word.email')}`,
  ],
  'name required, only letters (with accents) and spaces kept': ['ui/name-field.tsx', 'onChange(keepNameCharacters(text))'],
  'Stakeholders: name and e-mail required; a repeated e-mail is not added': [
    'features/processes/creation/stakeholders-section.tsx',
    'const repeated = parties.some((party) => party.email === address)',
    'if (nameFault || address === null || repeated) return',
    `address === null ? 'account.emailInvalid' : repeated ? 'stakeholder.duplicateEmail'`,
  ],
  'reminder switch with a select': [
    'features/processes/creation/reminder-section.tsx',
    `<Switch label={t('prepare.reminder')}`,
    'limits.reminderDays.map(',
    `if (!conflict) update({ hasReminder: true, reminderDays: days })`,
    `t('process.reminderConflict')`,
  ],
  'Prepare: Cancel (to /) and Next': ['features/processes/creation/use-preparation.ts', `await go('/');`, `go('/confirm', { state:`],
  'Confirm: Cancel (to /signature)': ['features/processes/creation/use-creation.ts', `await go('/signature', { replace: true`],
  'Back (to /prepare with the state and action ‘returning’)': [
    'features/processes/creation/confirm.page.tsx',
    `navigate('/prepare', { state: returningState(draft) })`,
  ],
  'A modality must be selected; all signatures must be ‘Pronto’; title ‘Erro ao criar o processo’': [
    'features/processes/creation/use-creation.ts',
    `if (draft.modality === null) return setFailure({ text: t('confirm.noModality') })`,
    `if (draft.visible && standingCount(draft) < total) return setFailure({ text: t('confirm.noPositions') })`,
    `title: t('confirm.failed')`,
  ],
  'Models load failure; default model failure': [
    'features/processes/creation/modality-choice.tsx',
    `<Notice kind="error">{t('models.listFailed')}</Notice>`,
    `<Notice kind="error">{t('model.notFound')}</Notice>`,
  ],
};

const signing: Lines = {
  'Table of signers (order, name, email, phone)': [
    'features/signing/signing-people.tsx',
    '{signer.order + 1}',
    '{signer.name}',
    '{signer.email}',
    '{signer.phoneNumber}',
  ],
  'buttons Rejeitar Assinatura and Assinar Documento': [
    'features/signing/signer-view.tsx',
    `onClick={() => begin('reject')}> {t('signer.reject')}`,
    `onClick={() => begin('sign')}> {t('signer.sign')}`,
  ],
  '‘Aguarde...’ while the status is checked at load': [
    'features/signing/signer-view.tsx',
    `if (pending) return ( <> <p role="status">{t('word.wait')}</p>`,
  ],
  'SIGNING shows an ‘Assinando...’ dialog with the reason': [
    'features/signing/signer-view.tsx',
    `current === 'SIGNING'`,
    `<BusyDialog title={t('signer.signing')} text={signingText(status, t)} />`,
  ],
  'Reject dialog: textarea with counter n/500; extra input ignored; required': [
    'features/signing/reject-dialog.tsx',
    'hint={`${cause.length}/${limits.rejectCauseMax}`}',
    'maxLength={limits.rejectCauseMax}',
    'event.target.value.slice(0, limits.rejectCauseMax)',
    `if (cause.trim() === '') {`,
  ],
  'Electronic: two steps, data then signature style': ['features/signing/electronic-dialog.tsx', `number: step === 'data' ? 1 : 2`],
  'CPF field masked ddd.ddd.ddd-dd': ['features/signing/data-step.tsx', 'placeholder="000.000.000-00"', 'setCpf(formatCpf(text))'],
  'signature image: JPEG or PNG': ['features/signing/uploaded-style.tsx', 'accept="image/png,image/jpeg"'],
  'signature image required': ['features/signing/style-step.tsx', `uploaded: 'evidence.imageRequired'`],
  'certificate type must be chosen': ['features/signing/digital/certificate-type-step.tsx', `t('digital.typeRequired')`],
  '‘Nenhum certificado encontrado’ (check the CPF)': [
    'features/signing/digital/cloud-steps.ts',
    `{ code: 'digital.noneFound', params: {} }, 'cpf'`,
  ],
  '‘Erro ao buscar certificados’': ['features/signing/digital/signing-told.tsx', `t('digital.searchFailed')`],
  'Authorization callback failure (server status code 500 in the body, or non-500 HTTP errors)': [
    'features/signing/callback.page.tsx',
    `const UNKNOWN = 'signing.authorizationUnknown'`,
    'statusCode >= 400 ? UNKNOWN : null',
    '<p className="last">{t(UNKNOWN)}</p>',
    'window.close()',
  ],
  '… and redirects: SIGNED shows success': ['features/signing/use-go-home.ts', `navigate('/signature')`],
  'Download: one item is saved as its own file; several are zipped as assinaturas.zip': [
    'features/downloads/download.page.tsx',
    'chosen.length === 1 ? one(only) : several(chosen)',
    `saveFile(zip, 'assinaturas.zip')`,
  ],
  'Table of documents (name, status) with checkboxes, 5 per page': [
    'features/downloads/download.page.tsx',
    `<th scope="col">{t('download.name')}</th> <th scope="col">{t('word.status')}</th>`,
    'type="checkbox"',
    'items.slice(page * limits.downloadPageSize, (page + 1) * limits.downloadPageSize)',
  ],
  'Download requires at least one selection': [
    'features/downloads/download.page.tsx',
    `if (!only) setMessage(t('document.nothingSelected'))`,
  ],
  'Verifier: a reason other than ‘Permitido’ is shown as the error': [
    'features/verification/validate-login.page.tsx',
    `if (reason === 'Permitido' && ticket)`,
    'setMessage(reason)',
    `t('verification.identifierInvalid')`,
  ],
  'validation fetch failure … then back to /validateLogin': [
    'features/verification/validate.page.tsx',
    `if (isError) return <Navigate to="/validateLogin" replace state={{ message: 'verify.failed' }} />`,
  ],
};

const companies: Lines = {
  'Usuários table (Nome, Email, Perfil, Ação)': [
    'features/companies/members-table.tsx',
    `label={t('company.users')}`,
    `{ key: 'name', label: t('company.column.name')`,
    `{ key: 'email', label: t('company.column.email')`,
    `{ key: 'authority', label: t('company.column.role')`,
    `actionsLabel={t('company.column.action')}`,
  ],
  'promote or demote not offered on the current user’s own row': [
    'features/companies/members-table.tsx',
    '...(member.isCurrentUser ? [] : [{ id: role,',
    `member.authority === 'ROLE_ADMIN' ? ('demote' as const) : ('promote' as const)`,
  ],
  '(with confirmation)': ['features/companies/member-act.tsx', '<p>{t(`company.${words}Question`'],
  'Remove user failure; delete failure; administrator change failure': [
    'features/companies/member-act.tsx',
    `kind !== 'remove' ? 'company.roleFailed' : answered ? 'company.removeFailed' : 'company.deleteFailed'`,
  ],
  'success code 205 redirects home': [
    'features/companies/member-act.tsx',
    `if (kind === 'remove' && done.reply === undefined && !hasLeft()) await go('/')`,
  ],
  'Invites: 200 ‘Convites enviados com sucesso’, else ‘Erro ao enviar convites’; at least one e-mail': [
    'features/companies/invite-panel.tsx',
    `showToast({ text: t('company.invited') })`,
    `<strong>{t('company.inviteFailed')}</strong>`,
    `setFault(t('company.emailsRequired'))`,
    `t('company.sendInvites')`,
  ],
  'Retention: success, error, Salvar; acts only when max size and days are positive': [
    'features/companies/retention-panel.tsx',
    `showToast({ text: t('company.retentionSaved') })`,
    `<strong>{t('company.retentionFailed')}</strong>`,
    `t('entity.save')`,
    'Number(text) >= 1 &&',
    'if (!isGood(maxTime, days) || !isGood(maxDocSize, megabytes)) return',
  ],
  'Accept invite: 200 shows success then home': ['features/companies/accept-invite.page.tsx', `'company.joined'`],
  '404 shows the server message then /account/register; others … then home': [
    'features/companies/accept-invite.page.tsx',
    'error.status === 404',
    `isMissing ? '/account/register' : '/'`,
  ],
  'Member processes: titled with the member name; per process order, file names, created date, due date, status': [
    'features/companies/member.page.tsx',
    '<Page title={name ??',
    '{order}</span>',
    '{files}</span>',
    `t('company.column.created')`,
    `t('company.column.due')`,
    '<ProcessBadge status={item.status} />',
  ],
};

const models: Lines = {
  'width and height numeric only; corrected on blur': [
    'features/signature-models/model-fields.tsx',
    `keep(value.replace(/[^\\d.,]/g, ''))`,
    'onBlur={() => keep(String(measureOf(form, measure)))}',
  ],
  'Width and height are divided by 0.75 (pixel conversion)': [
    'features/signature-models/model-preview.tsx',
    'const trueSize = 1 / limits.pixelToPoint',
  ],
};

const states: Lines = {
  'Creation sequence: permission check, upload documents, create process, create signers, create stakeholders': [
    'features/processes/creation/create-process.ts',
    `callApi(hasPermission, { query: { actionFlowWebType: 'CREATE_PROCESS' } })`,
    'await sendFiles(chosen, key, onStep, signal)',
    'await callApi(createSignatureProcess, {',
    'await callApi(createSigner, {',
    'await callApi(createStakeholder, {',
    'await callApi(startSignatureProcess, {',
  ],
  'success popup for 2 s, usage alert check, go to /signature': [
    'features/processes/creation/use-creation.ts',
    'const usage = await findUsageAlert(); if (usage) setProgress(usage); else await leave();',
    `setProgress('done');`,
  ],
  'Usage-check failure is only logged': [
    'features/processes/creation/usage-alert.ts',
    'usage.shouldAlert ? usage : null',
    `logInBrowser('usage not checked'`,
  ],
  'SIGNED or EXPIRED on page load blocks signing with a warning showing the reason, then redirects': [
    'features/signing/state-notice.tsx',
    `useGoHome(current === 'SIGNED' || current === 'EXPIRED', WARNING_MS)`,
    `<Notice kind="warning">{codeText(status?.reason`,
  ],
  'ERROR_WHILE_SIGNING shows an error': [
    'features/signing/state-notice.tsx',
    `if (current === 'ERROR_WHILE_SIGNING') return ( <Notice kind="error">`,
  ],
  'SIGNED during polling shows success (finalized text if the process is finalized, otherwise ‘request sent’)': [
    'features/signing/signer-view.tsx',
    `if (status === 'SIGNED') setEnded(finalized ? 'finalized' : 'signed')`,
  ],
  'after SIGNED the evidence is produced': [
    'features/signing/signer-view.tsx',
    `if (status === 'SIGNED' && user && type === 'ELETRONIC_SIGNATURE') void produceEvidence(id, user, finalized)`,
  ],
  'Signing status polled from the server, while it is SIGNING': [
    'features/signing/use-signature-status.ts',
    `new Set(['AUTHORIZING', 'SIGNING'])`,
    'underWay.has(reply?.status) ? limits.signingStatusPollMs : false',
  ],
  'A redirect screen starts single sign-on login when not authenticated (failure is only logged)': [
    'features/accounts/single-sign-on.tsx',
    `callApi(beginSingleSignOn, {})`,
    `logInBrowser('single sign-on could not start', error)`,
  ],
  'returns to unauthenticated on any 401/403 response, which clears the session with message key login.error.unauthorized': [
    'lib/api-client.ts',
    `error.status !== 403 || error.code !== 'request.forbidden'`,
    'if (!isSingleSignOn() && readToken() === sent) endHere()',
  ],
  '… shown on the sign-in page': [
    'features/accounts/login.page.tsx',
    `{isOver && !message && <Notice kind="warning">{t('login.error.unauthorized')}</Notice>}`,
  ],
  'Cancel is offered only if …; Download is offered only if …': [
    'features/processes/reading/process.page.tsx',
    'can={can.cancel}',
    'can.download &&',
  ],
};

const faults: Lines = {
  'Login error dialog title errorWithLogin2': ['features/accounts/login.page.tsx', `<Dialog title={t('login.errorWithLogin2')}`],
  'Status 0: ‘Server not reachable’': ['lib/api-client.ts', `throw new ApiError(0, 'error.server.not.reachable')`],
  '… of uploads too': ['lib/upload-file.ts', `reject(new ApiError(0, 'error.server.not.reachable'))`],
  'otherwise the message or ‘Unknown error!’ of an upload': [
    'lib/upload-file.ts',
    `refused(xhr.status, (xhr.response ?? {}) as ProblemBody, xhr.getResponseHeader('X-app-error'))`,
  ],
  'otherwise the message or ‘Unknown error!’': [
    'lib/api-client.ts',
    `refused(answer.status, body, answer.headers.get('X-app-error'))`,
    'answeredCode(status, body.title, header)',
    `if (status === 403 && isSingleSignOn()) logInBrowser(`,
  ],
  'Process list failure': ['features/processes/reading/process-list.tsx', `<Failed text={t('home.loadFailed')}`],
  'Cancel failure; success for 2 s': [
    'features/processes/reading/cancel-process.tsx',
    `<strong>{t('home.cancelFailed')}</strong>`,
    `<Dialog title={t('home.canceled')}`,
    'limits.successPopupMs',
  ],
  'Signing link failure': ['features/processes/reading/process-people.tsx', `t('home.linkFailed')`],
  'Closed popup: 1500 ms for the first social provider, 3500 ms for the second': [
    'features/accounts/social/use-social-sign-in.ts',
    'return place === 0 ? limits.popupClosedFirstMs : limits.popupClosedSecondMs',
  ],
  'any other is shown as waiting turn; anything else is shown as unknown': [
    'shell/status-badge.tsx',
    "t(known ? `status.${status}` : 'status.unknown')",
    "t(known ? `signerStatus.${status}` : 'signerStatus.WAITING')",
  ],
};

holdLines('creating a process', creating);
holdLines('signing, downloading, verifying', signing);
holdLines('companies', companies);
holdLines('signature models', models);
holdLines('states', states);
holdLines('faults', faults);
