import { coveredFileName, formatCpf, toldChanges } from '@lavra/domain';
import type { DocumentTimestampReport, SignatureReport, VerificationReport } from '@lavra/pades';
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveBlob } from '../../lib/api-client.ts';
import { formatDateTime } from '../../lib/format.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Afterwards } from './afterwards.tsx';
import { Verdict } from './verdict.tsx';
import { UnreadableFile, verifyFile } from './verify-file.ts';

type State =
  | { step: 'idle' }
  | { step: 'reading'; name: string; progress: number }
  | { step: 'done'; file: File; report: VerificationReport }
  | { step: 'failed'; message: string };

/** Any signed PDF of the visitor's own computer: verified here, sent nowhere. */
export function LocalVerification() {
  const { t } = useTranslation();
  const [state, setState] = useState<State>({ step: 'idle' });
  async function choose(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = event.target.files?.[0];
    if (!file) return;
    event.target.value = '';
    const { name } = file;
    setState({ step: 'reading', name, progress: 0 });
    try {
      const report = await verifyFile(file, (progress) => setState({ step: 'reading', name, progress }));
      setState({ step: 'done', file, report });
    } catch (error) {
      const known = error instanceof UnreadableFile;
      setState({ step: 'failed', message: known ? t(`verify.unreadable.${readable(error.code)}`) : errorText(error, t) });
    }
  }
  return (
    <section className="card">
      <h2>{t('verify.fileTitle')}</h2>
      <p>{t('verify.fileIntro')}</p>
      <label className="button file-button">
        {t('verify.fileChoose')}
        <input type="file" accept="application/pdf,.pdf" className="visually-hidden" onChange={(event) => void choose(event)} />
      </label>
      <div role="status">
        {state.step === 'reading' && (
          <p>
            {t('verify.fileReading', { name: state.name })}{' '}
            <progress value={state.progress} aria-label={t('verify.fileReading', { name: state.name })} />
          </p>
        )}
        {state.step === 'done' && <Report file={state.file} report={state.report} />}
      </div>
      {state.step === 'failed' && <Notice kind="error">{state.message}</Notice>}
    </section>
  );
}

function readable(code: string): string {
  return ['NOT_A_PDF', 'ENCRYPTED', 'DAMAGED', 'TOO_COMPLEX'].includes(code) ? code : 'UNEXPECTED';
}

function Report({ file, report }: { file: File; report: VerificationReport }) {
  const { t } = useTranslation();
  const { name } = file;
  if (report.signatures.length === 0) return <Notice>{t('verify.fileUnsigned', { name })}</Notice>;
  return (
    <>
      <h3>{name}</h3>
      <ol className="list verdicts">
        {report.signatures.map((signature) => (
          <li key={signature.end}>
            <Signature signature={signature} />
            <Since one={signature} whose={signature.signer?.name ?? ''} file={file} report={report} />
          </li>
        ))}
        {report.documentTimestamps.map((stamp) => (
          <li key={stamp.end}>
            <strong>{t('verify.timestamp', { time: formatDateTime(stamp.time?.toISOString() ?? null) })}</strong>
            <Verdict indication={stamp.indication} reasons={stamp.reasons} provenTime={null} />
            <Since one={stamp} whose={stamp.authority ?? ''} file={file} report={report} />
          </li>
        ))}
      </ol>
      {/* Lists come from this site alone, and it knows those of authorities it has met. */}
      {report.signatures.some(({ reasons }) => reasons.includes('REVOCATION_UNKNOWN')) && (
        <p className="hint">{t('verify.fileRevocation')}</p>
      )}
    </>
  );
}

interface SinceProps {
  one: SignatureReport | DocumentTimestampReport;
  whose: string;
  file: File;
  report: VerificationReport;
}

/** What came after a signature, and the file as it was then: cut from the visitor's own file. */
function Since({ one, whose, file, report }: SinceProps) {
  const named = report.signatures.map(({ fields, signer }) => ({ fields, name: signer?.name ?? '' }));
  const save = () => saveBlob(file.slice(0, one.end, 'application/pdf'), coveredFileName(file.name, whose));
  return (
    <Afterwards
      name={whose}
      indication={one.indication}
      reasons={one.reasons}
      notes={one.notes}
      changes={toldChanges(one.changes, one.forbidden, named)}
      coversWholeFile={one.coversWholeFile && one.kind === 'signature'}
      onSave={one.kind === 'signature' && one.end > 0 ? save : undefined}
    />
  );
}

function Signature({ signature }: { signature: SignatureReport }) {
  const { t } = useTranslation();
  const { signer, trust, policy, level, claimedTime, provenTime } = signature;
  // Without a chain to somebody who is trusted a level says how the file is made, and no more.
  const shownLevel = signature.notes.includes('LEVEL_FORM_ONLY') ? t('verify.fileLevelFormOnly', { level }) : level;
  const facts = [
    signer?.cpf && `CPF ${formatCpf(signer.cpf)}`,
    signer?.cnpj && `CNPJ ${signer.cnpj}`,
    signer?.type && t('verify.fileType', { type: signer.type }),
    trust && t('verify.fileTrust', { trust }),
    policy?.status === 'violated' ? shownLevel : (policy?.name ?? shownLevel),
    !provenTime && claimedTime && t('verify.fileClaimed', { time: formatDateTime(claimedTime.toISOString()) }),
  ].filter(Boolean);
  return (
    <>
      <span>
        <strong>{signer?.name ?? t('verify.fileUnknownSigner')}</strong>
        <span className="hint"> {facts.join(' · ')}</span>
      </span>
      {policy?.status === 'violated' && (
        <span className="hint">
          {t('verify.filePolicyViolated', {
            policy: policy.name ?? policy.oid,
            why: policy.reasons.map((reason) => t(`verify.reason.${reason}`)).join(' '),
          })}
        </span>
      )}
      <Verdict indication={signature.indication} reasons={signature.reasons} provenTime={provenTime?.toISOString() ?? null} />
    </>
  );
}
