import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
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
