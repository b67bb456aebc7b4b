import { type CompanyOverview, getCompanyOverview } from '@lavra/api';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Page } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { CompanyForm } from './company-form.tsx';
import { InvitePanel } from './invite-panel.tsx';
import { LeaveCompany } from './leave-company.tsx';
import { LogoPart } from './logo-part.tsx';
import { MembersTable } from './members-table.tsx';
import { RetentionPanel } from './retention-panel.tsx';

/** `/your_company/:id`: a company's people, invitations, retention and looks; `/your_company/new` makes one. */
export function Component() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { key } = useLocation();
  if (id !== 'new') return <Company key={id} id={id} />;
  return (
    <Page key={key} title={t('company.new')} frame="form">
      <p>{t('company.newText')}</p>
      <CompanyForm company={null} onSaved={(made) => void navigate(`/your_company/${made.id}`, { replace: true })} />
    </Page>
  );
}

function Company({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(getCompanyOverview, { params: { id } });
  return (
    <Page title={data?.name ?? t('company.yours')}>
      {data ? (
        <CompanyParts company={data} />
      ) : error ? (
        <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />
      ) : (
        <Loading rows={4} />
      )}
    </Page>
  );
}

function CompanyParts({ company }: { company: CompanyOverview }) {
  const { t } = useTranslation();
  const runs = company.authority !== 'ROLE_USER';
  if (!runs)
    return (
      <>
        <p>{t('company.member')}</p>
        <LeaveCompany company={company} />
      </>
    );
  return (
    <>
      <MembersTable company={company} />
      <InvitePanel company={company} />
      <div className="company-panels">
        <RetentionPanel company={company} />
        <section className="card" aria-labelledby="company-data">
          <h2 id="company-data">{t('company.data')}</h2>
          <CompanyForm company={company} />
          <LogoPart company={company} />
        </section>
      </div>
    </>
  );
}
