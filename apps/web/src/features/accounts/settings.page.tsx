import { useTranslation } from '../../lib/i18n.ts';
import { useAccount } from '../../lib/account.ts';
import { Page } from '../../shell/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { OwnCompany } from '../../shell/own-company.tsx';
import { EmailPart } from './email-part.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { SecondFactorPart } from './second-factor-part.tsx';
import { IdentitiesPart } from './social/identities-part.tsx';
import { ConfirmedCpf } from './social/confirmed-cpf.tsx';

export function Component() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  return (
    <Page title={t('shell.settings')} frame="form">
      {account ? (
        <>
          <ProfileForm account={account} />
          <ConfirmedCpf account={account} />
          <EmailPart account={account} />
          <IdentitiesPart />
          <SecondFactorPart />
          <OwnCompany account={account} />
          <SessionsPart />
        </>
      ) : (
        <Loading rows={4} />
      )}
    </Page>
  );
}
