import { isAsSigned } from '@lavra/domain';
import { useState } from 'react';
import { type Translate, useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { SignerBadge } from '../../shell/status-badge.tsx';
import type { Judged } from './judged.ts';
import { SaveFailure } from './save-failure.tsx';
import { Verdict } from './verdict.tsx';

/** Hands out the document as it was when a mark was set. */
export type SaveAsOf = (mark: Judged) => void | Promise<void>;

/** Asked to sign, and has not. */
export interface NotSigned {
  name: string;
  email: string;
  status: string;
}

interface SignedPeopleProps {
  marks: readonly Judged[];
  /** What a signature of this process is called before the law; null for a file of anybody's. */
  legalName: string | null;
  others?: readonly NotSigned[];
  /** Whether their process is over. */
  hasEnded?: boolean;
  /** The file is kept no longer: nobody looked at their signatures. */
  isRemoved?: boolean;
  onSave: SaveAsOf | undefined;
}

/** Who signed, each with the word on their signature; then who has not, the platform's seal and the timestamps. */
export function SignedPeople({ marks, legalName, others = [], hasEnded = false, isRemoved = false, onSave }: SignedPeopleProps) {
  const { t } = useTranslation();
  const people = marks.filter(({ kind }) => kind === 'signature');
  const beside = marks.filter(({ kind }) => kind !== 'signature');
  return (
    <section className="card">
      {people.length + others.length > 0 && <h2>{t('verify.people')}</h2>}
      <ul className="signed-people">
        {people.map((mark, index) => (
          <Person key={`${mark.end}-${index}`} mark={mark} legalName={legalName} isRemoved={isRemoved} onSave={onSave} />
        ))}
        {others.map(({ name, email, status }, index) => (
          <li key={`${email}-${index}`} className="signed">
            <div className="signed-head">
              <strong>{name}</strong>
              <SignerBadge status={status} hasEnded={hasEnded} />
            </div>
            <span className="hint">{email}</span>
          </li>
        ))}
      </ul>
      {beside.length > 0 && (
        <>
          <h3>{t('verify.beside')}</h3>
          <ul className="signed-people">
            {beside.map((mark, index) => (
              <li key={`${mark.end}-${index}`} className="signed">
                <div className="signed-head">
                  <strong>{markTitle(mark, t)}</strong>
                  <Verdict mark={mark} />
                </div>
                <Reasons mark={mark} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What a mark is called where marks of every kind stand together. */
export function markTitle({ kind, name, provenTime }: Judged, t: Translate): string {
  if (kind === 'seal') return t('verify.seal');
  if (kind === 'timestamp') return t('verify.timestamp', { time: formatDateTime(provenTime) });
  return name === '' ? t('verify.fileUnknownSigner') : name;
}

type PersonProps = Pick<SignedPeopleProps, 'legalName' | 'onSave'> & { mark: Judged; isRemoved: boolean };

function Person({ mark, legalName, isRemoved, onSave }: PersonProps) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  const { cpf, cnpj, email, certificate, end, coversWholeFile } = mark;
  const name = markTitle(mark, t);
  const isQualified = certificate?.trust?.startsWith('ICP-Brasil') ?? false;
  const facts = [
    cpf && `CPF ${cpf}`,
    cnpj && `CNPJ ${cnpj}`,
    email,
    legalName ?? (isQualified && mark.indication === 'TOTAL-PASSED' ? t('word.levelDigital') : null),
  ].filter(Boolean);
  // Of a signature that does not hold over its bytes nobody knows what it was that was signed.
  const canSave = onSave !== undefined && end !== null && !coversWholeFile && isAsSigned(mark.indication, mark.reasons);
  async function save(): Promise<void> {
    setFailure(null);
    await Promise.resolve(onSave?.(mark)).catch(setFailure);
  }
  return (
    <li className="signed">
      <div className="signed-head">
        <strong>{name}</strong>
        {isRemoved ? <span className="badge">{t('verify.notJudged')}</span> : <Verdict mark={mark} />}
      </div>
      {facts.length > 0 && <span className="hint">{facts.join(' · ')}</span>}
      <When mark={mark} />
      {!isRemoved && <Reasons mark={mark} />}
      {canSave && (
        <button type="button" className="quiet" onClick={() => void save()}>
          {t('verify.downloadAs', { name })}
        </button>
      )}
      <SaveFailure failure={failure} />
    </li>
  );
}

/** The process's own record is the time of the act; without one, what is proven or only said. */
function When({ mark: { signedAt, provenTime, claimedTime } }: { mark: Judged }) {
  const { t } = useTranslation();
  const said = claimedTime && t('verify.fileClaimed', { time: formatDateTime(claimedTime) });
  const proven = provenTime && t('verify.provenTime', { time: formatDateTime(provenTime) });
  const lines = [signedAt ? t('verify.signedAt', { time: formatDateTime(signedAt) }) : !proven && said, proven].filter(Boolean);
  return lines.length > 0 && <span>{lines.join(' · ')}</span>;
}

/** Why it is not valid, a sentence each. */
function Reasons({ mark: { kind, indication, reasons, brokenPolicy } }: { mark: Judged }) {
  const { t } = useTranslation();
  if (indication === null) return <span className="signed-why">{t('verify.missing')}</span>;
  const why = reasons.map((reason) =>
    kind === 'timestamp' && reason === 'TIMESTAMP_IMPRINT_MISMATCH' ? t('verify.stampChanged') : t(`verify.reason.${reason}`),
  );
  return (
    <>
      {why.map((sentence) => (
        <span key={sentence} className="signed-why">
          {sentence}
        </span>
      ))}
      {brokenPolicy && (
        <span className="hint">
          {t('verify.filePolicyViolated', {
            policy: brokenPolicy.name,
            why: brokenPolicy.reasons.map((reason) => t(`verify.reason.${reason}`)).join(' '),
          })}
        </span>
      )}
    </>
  );
}
