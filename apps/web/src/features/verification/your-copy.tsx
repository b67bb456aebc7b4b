import { Suspense, use, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Notice } from '../../shell/page.tsx';
import { judgedInReport } from './judged.ts';
import { type LocalVerification, LocalProgress } from './local-verification.tsx';
import { VerdictBanner } from './verdict-banner.tsx';
import type { VerifiedFile } from './verify-file.ts';
import { verdictOfFile } from './whole-verdict.ts';

interface YourCopyProps {
  local: LocalVerification;
  signedHash: string;
  /** The file is kept no longer: nobody has judged what is the same. */
  isRemoved: boolean;
}

/** The visitor's own copy of the document that this page tells of: whether it is the same file, and what it is worth where the page does not say so. */
export function YourCopy({ local, signedHash, isRemoved }: YourCopyProps) {
  const { state } = local;
  return (
    <>
      <LocalProgress local={local} />
      {state.step === 'done' && (
        <Suspense>
          <Compared verified={state.verified} signedHash={signedHash} isRemoved={isRemoved} />
        </Suspense>
      )}
    </>
  );
}

function Compared({ verified: { file, report, hash }, signedHash, isRemoved }: { verified: VerifiedFile } & Omit<YourCopyProps, 'local'>) {
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => judgedInReport(report), [report]);
  const digest = use(hash);
  const isSame = digest === signedHash;
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'center' });
  }, [file]);
  // Nothing is said of a file that could not be read to its end.
  if (digest === null) return <Notice kind="error">{t('verify.unreadable.UNEXPECTED')}</Notice>;
  return (
    <div ref={element}>
      <div role="status">
        <Notice kind={isSame ? 'success' : 'warning'}>{t(isSame ? 'verify.copySame' : 'verify.copyOther', { name: file.name })}</Notice>
      </div>
      {(!isSame || isRemoved) && <VerdictBanner verdict={verdictOfFile(marks)} of={file.name} />}
    </div>
  );
}
