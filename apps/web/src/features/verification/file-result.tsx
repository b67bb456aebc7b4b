import { coveredFileName } from '@lavra/domain';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { saveBlob } from '../../lib/api-client.ts';
import { type Judged, judgedInReport } from './judged.ts';
import { NotChecked } from './not-checked.tsx';
import { PrintReport, ReportHead, useUnfoldedInPrint } from './report-print.tsx';
import { SignedPeople } from './signed-people.tsx';
import { TechnicalFacts } from './technical-facts.tsx';
import { VerdictBanner } from './verdict-banner.tsx';
import type { VerifiedFile } from './verify-file.ts';
import { WhatChanged } from './what-changed.tsx';
import { verdictOfFile } from './whole-verdict.ts';

/** What a file of the visitor's own is worth: the verdict, the people, what changed, what stays open, and the facts. */
export function FileResult({ verified: { file, report, at, hash } }: { verified: VerifiedFile }) {
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => judgedInReport(report), [report]);
  const digest = useArrived(hash);
  useUnfoldedInPrint();
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'start' });
  }, [report]);
  /** Cut from the visitor's own file. */
  const save = ({ end, name }: Judged) => saveBlob(file.slice(0, end ?? 0, 'application/pdf'), coveredFileName(file.name, name));
  return (
    <div ref={element} className="result">
      <ReportHead at={at} again={`${location.origin}/validateLogin`} />
      <VerdictBanner verdict={verdictOfFile(marks)} of={file.name}>
        {marks.length > 0 && (
          <div className="actions">
            <PrintReport />
          </div>
        )}
      </VerdictBanner>
      {marks.length > 0 && (
        <>
          <SignedPeople marks={marks} legalName={null} onSave={save} />
          <WhatChanged marks={marks} onPage={undefined} />
          <NotChecked marks={marks} isOwnFile />
          <TechnicalFacts marks={marks} hashes={[{ label: t('verify.fileHash'), hash: digest }]} />
        </>
      )}
    </div>
  );
}

/** What a promise brings, once it is there: what stands around it, open or folded, stays as it is. */
function useArrived(promise: Promise<string | null>): string | null {
  const [arrived, setArrived] = useState<{ of: Promise<string | null>; value: string | null } | null>(null);
  useEffect(() => {
    void promise.then((value) => setArrived({ of: promise, value }));
  }, [promise]);
  return arrived?.of === promise ? arrived.value : null;
}
