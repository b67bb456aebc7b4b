import { confirmEmail, getAccount } from '@lavra/api';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Loading } from '../../ui/states.tsx';

/** The link of the mail to a new address; whoever opens it signed out signs in first, and comes back here. */
export function Component() {
  const { t } = useTranslation();
  const key = useSearchParams()[0].get('key') ?? '';
  const { act, failure } = useAct(confirmEmail, [getAccount]);
  const [email, setEmail] = useState<string | null>(null);
  const asked = useRef(false);

  useEffect(() => {
    // The key works once: it is tried once.
    if (asked.current) return;
    asked.current = true;
    void act({ body: { key } }).then((done) => setEmail(done?.reply.email ?? null));
  }, [key]);

  return (
    <Page title={t('email.confirmTitle')} frame="form">
      {email === null && failure === null && <Loading rows={1} />}
      {email !== null && <Notice kind="success">{t('email.confirmed', { email })}</Notice>}
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {(email !== null || failure !== null) && (
        <p>
          <Link to="/account/settings">{t('email.back')}</Link>
        </p>
      )}
    </Page>
  );
}
