import { useLocation } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice, Page } from '../../../shell/page.tsx';
import { KeptDrafts } from './kept-drafts.tsx';
import { NewProcess } from './new-process.tsx';
import { ProcessList } from './process-list.tsx';
import { SentMoment } from './sent-moment.tsx';
import { askForProcesses } from './use-process-list.ts';

export const askAhead = askForProcesses;

export function Component() {
  const { t } = useTranslation();
  const state = (useLocation().state ?? {}) as { message?: string; sent?: string };
  return (
    <Page title={t('home.title')}>
      {state.message && <Notice kind="success">{t(state.message)}</Notice>}
      {state.sent && <SentMoment id={state.sent} />}
      <NewProcess />
      <KeptDrafts />
      <ProcessList />
    </Page>
  );
}
