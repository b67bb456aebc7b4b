import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { Page } from '../../shell/page.tsx';
import { RegisterForm } from './register-form.tsx';

export function Component() {
  const { t } = useTranslation();
  return (
    <Page title={t('register.title')} frame="form">
      <RegisterForm />
      <p>
        <Link to="/login">{t('register.back')}</Link>
      </p>
    </Page>
  );
}
