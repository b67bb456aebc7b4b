import {
  type CompanyInvitation,
  type CompanyOverview,
  getCompanyOverview,
  inviteCompany,
  resendCompanyInvitation,
  revokeCompanyInvitation,
} from '@lavra/api';
import { invitedEmailFault, normalizeEmail, pastedEmails } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.ts';

/** People are invited by a list of addresses, typed or pasted; each address is judged by itself. */
export function InvitePanel({ company }: { company: CompanyOverview }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="company-invite">
      <h2 id="company-invite">{t('company.invite')}</h2>
      <InviteForm companyId={company.id} />
      {company.invitations.length > 0 && <OpenInvitations invitations={company.invitations} />}
    </section>
  );
}

function InviteForm({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [emails, setEmails] = useState<readonly string[]>([]);
  const [fault, setFault] = useState<string>();
  const { act, busy, failure, forget } = useAct(inviteCompany, [getCompanyOverview]);

  /** What is good becomes a chip; what is not stays in the field, with the reason. */
  function take(): readonly string[] | null {
    const given = pastedEmails(typed);
    const wrong = given.filter((email) => invitedEmailFault(email) !== null);
    const all = [...new Set([...emails, ...given.filter((email) => !wrong.includes(email)).map(normalizeEmail)])];
    setEmails(all);
    setTyped(wrong.join(', '));
    setFault(wrong.length === 0 ? undefined : wrong.map((email) => `${email}: ${t(invitedEmailFault(email) ?? '')}`).join(' '));
    return wrong.length === 0 ? all : null;
  }
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    forget();
    const all = take();
    if (all === null) return;
    if (all.length === 0) return setFault(t('company.emailsRequired'));
    if (!(await act({ body: { emails: [...all], companyId } }))) return;
    setEmails((latest) => latest.filter((email) => !all.includes(email)));
    showToast({ text: t('company.invited') });
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      {failure !== null && (
        <Notice kind="error">
          <strong>{t('company.inviteFailed')}</strong> {errorText(failure, t)}
        </Notice>
      )}
      <Field label={t('company.emails')} hint={t('company.emailsHint')} error={fault}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            rows={2}
            value={typed}
            aria-describedby={describedBy}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={({ relatedTarget }) => {
              // Sending takes them itself: chips that appear now would move its button from under the finger.
              const isSending = relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit';
              if (typed.trim() !== '' && !isSending) take();
            }}
          />
        )}
      </Field>
      {emails.length > 0 && <EmailChips emails={emails} onDrop={(email) => setEmails(emails.filter((one) => one !== email))} />}
      <div className="actions">
        <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
          {t('company.sendInvites')}
        </button>
      </div>
    </form>
  );
}

function EmailChips({ emails, onDrop }: { emails: readonly string[]; onDrop(email: string): void }) {
  const { t } = useTranslation();
  return (
    <ul className="email-chips" aria-label={t('company.chosen')}>
      {emails.map((email) => (
        <li key={email}>
          <span className="email">{email}</span>
          <button type="button" className="icon-button" aria-label={t('company.dropEmail', { email })} onClick={() => onDrop(email)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function OpenInvitations({ invitations }: { invitations: readonly CompanyInvitation[] }) {
  const { t } = useTranslation();
  const resend = useAct(resendCompanyInvitation, [getCompanyOverview]);
  const revoke = useAct(revokeCompanyInvitation, [getCompanyOverview]);
  const failure = resend.failure ?? revoke.failure;
  const busy = resend.busy || revoke.busy;
  const done = async (act: Promise<unknown>, text: string) => {
    if (await act) showToast({ text: t(text) });
  };
  return (
    <>
      <h3>{t('company.waiting')}</h3>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <DataTable
        label={t('company.waiting')}
        items={invitations}
        keyOf={({ id }) => id}
        columns={[
          { key: 'email', label: t('company.column.email'), heading: true, cell: ({ email }) => <span className="email">{email}</span> },
          { key: 'created', label: t('company.column.sent'), cell: ({ createdDate }) => formatDateTime(createdDate) },
          {
            key: 'expires',
            label: t('company.column.until'),
            cell: ({ expiresDate, expired }) =>
              expired ? <span className="badge badge-wait">{t('company.expired')}</span> : formatDateTime(expiresDate),
          },
        ]}
        actionsLabel={t('company.column.action')}
        actions={({ id, email }) => (
          <>
            <button
              type="button"
              disabled={busy}
              aria-label={t('company.resendTo', { email })}
              onClick={() => void done(resend.act({ params: { id } }), 'company.resent')}
            >
              {t('company.resend')}
            </button>
            <button
              type="button"
              className="danger"
              disabled={busy}
              aria-label={t('company.revokeOf', { email })}
              onClick={() => void done(revoke.act({ params: { id } }), 'company.revoked')}
            >
              {t('company.revoke')}
            </button>
          </>
        )}
      />
    </>
  );
}
