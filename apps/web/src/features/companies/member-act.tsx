import {
  type CompanyMember,
  type CompanyOverview,
  findCompanyCurrentUser,
  getAccount,
  getCompanyOverview,
  makeAdministrator,
  makeUser,
  removeUser,
} from '@lavra/api';
import { leftSince, useGo } from '../../lib/go.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.ts';

const calls = { promote: makeAdministrator, demote: makeUser, remove: removeUser } as const;
export type MemberActKind = keyof typeof calls;

interface Props {
  company: CompanyOverview;
  member: CompanyMember;
  kind: MemberActKind;
  onClose(): void;
}

/** Asks once more, and then does it. Where there is nothing left to show (205), the way leads home. */
export function MemberAct({ company, member, kind, onClose }: Props) {
  const { t } = useTranslation();
  const go = useGo();
  const { act, busy, failure } = useAct(calls[kind], [getCompanyOverview, findCompanyCurrentUser, getAccount]);
  const words = kind === 'remove' && member.isCurrentUser ? 'leave' : kind;
  async function confirm(): Promise<void> {
    const hasLeft = leftSince();
    const done = await act({ params: { companyId: company.id, userId: member.id } });
    if (!done) return;
    onClose();
    showToast({ text: t(`company.${words}Done`, { name: member.name }) });
    if (kind === 'remove' && done.reply === undefined && !hasLeft()) await go('/');
  }
  return (
    <Dialog title={t(`company.${words}`)} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      {failure !== null && <ActFault failure={failure} kind={kind} />}
      <p>{t(`company.${words}Question`, { name: member.name, company: company.name })}</p>
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={onClose}>
          {t('entity.cancel')}
        </button>
        <button
          type="button"
          className={kind === 'remove' ? 'danger' : 'primary'}
          disabled={busy}
          aria-busy={busy}
          onClick={() => void confirm()}
        >
          {t(`company.${words}`)}
        </button>
      </div>
    </Dialog>
  );
}

/** Section 8: what could not be done, and the server's reason. */
function ActFault({ failure, kind }: { failure: unknown; kind: MemberActKind }) {
  const { t } = useTranslation();
  const answered = failure instanceof ApiError && failure.status !== 0;
  const title = kind !== 'remove' ? 'company.roleFailed' : answered ? 'company.removeFailed' : 'company.deleteFailed';
  return (
    <Notice kind="error">
      <strong>{t(title)}</strong> {errorText(failure, t)}
    </Notice>
  );
}
