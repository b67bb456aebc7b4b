import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { inspectFile } from './inspect-file.ts';
import type { DraftFile } from './process-draft.ts';

/** What happens to this file when it is sent, in a sentence each; most files have none. */
export function FileNotices({ file }: { file: DraftFile }) {
  const { t } = useTranslation();
  const { data } = useQuery({ queryKey: ['file-notices', file.id], queryFn: () => inspectFile(file.file), staleTime: Infinity });
  return data?.map(({ code, params }) => (
    <span key={code} className="hint">
      {t(`document.willBe.${code}`, params)}
    </span>
  ));
}
