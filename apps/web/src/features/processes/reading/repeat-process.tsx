import { downloadOriginal, getProcessTemplate } from '@lavra/api';
import { useState } from 'react';
import { leftSince, useGo } from '../../../lib/go.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { callApi, callAddress, fetchFile } from '../../../lib/api-client.ts';
import { Notice } from '../../../shell/page.tsx';
import { draftOfTemplate } from '../creation/draft-of-template.ts';

/** Begins a process again from what an ended one was made of: its files, people and places, to be corrected and sent. */
export function RepeatProcess({ id }: { id: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  async function repeat(): Promise<void> {
    setState('busy');
    const hasLeft = leftSince();
    try {
      const template = await callApi(getProcessTemplate, { params: { id } });
      const files = await Promise.all(
        template.documents.map(({ id: documentId, name }) => fetchFile(callAddress(downloadOriginal, { id: documentId }, {}), name)),
      );
      if (hasLeft()) return setState('idle');
      const draftId = await draftOfTemplate(template, files);
      // The list offers what was begun.
      if (hasLeft()) return setState('idle');
      await go('/prepare', { state: { draftId, action: 'returning' } });
    } catch {
      setState('failed');
    }
  }
  return (
    <>
      {state === 'failed' && <Notice kind="error">{t('home.repeatFailed')}</Notice>}
      <button type="button" className="primary" disabled={state === 'busy'} aria-busy={state === 'busy'} onClick={() => void repeat()}>
        {t(state === 'busy' ? 'home.repeating' : 'home.repeat')}
      </button>
    </>
  );
}
