import { coveredFileName } from '@lavra/domain';
import { use, Suspense, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
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
          <Suspense fallback={<TechnicalFacts marks={marks} hashes={[]} />}>
            <FactsWithHash marks={marks} hash={hash} label={t('verify.fileHash')} />
          </Suspense>
        </>
      )}
    </div>
  );
}

function FactsWithHash({ marks, hash, label }: { marks: readonly Judged[]; hash: Promise<string | null>; label: string }) {
  return <TechnicalFacts marks={marks} hashes={[{ label, hash: use(hash) }]} />;
}
