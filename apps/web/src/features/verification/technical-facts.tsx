import { Fragment } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { CopyableHash } from './copyable-hash.tsx';
import type { Judged } from './judged.ts';
import { markTitle } from './signed-people.tsx';

/** A digest and what it is of; null while it is being made, or where there is none. */
export interface NamedHash {
  label: string;
  hash: string | null | undefined;
}

interface TechnicalFactsProps {
  marks: readonly Judged[];
  hashes: readonly NamedHash[];
  /** The file is kept no longer. */
  isRemoved?: boolean;
}

/** What an expert asks for, folded away. */
export function TechnicalFacts({ marks, hashes, isRemoved = false }: TechnicalFactsProps) {
  const { t } = useTranslation();
  const known = hashes.filter(({ hash }) => hash);
  return (
    <details className="card technical">
      <summary>
        <h2>{t('verify.technical')}</h2>
      </summary>
      {known.length > 0 && (
        <dl className="facts">
          {known.map(({ label, hash }) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>
                <CopyableHash hash={hash ?? ''} label={label} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {marks.map((mark, index) => (
        <MarkFacts key={`${mark.end}-${index}`} mark={mark} />
      ))}
      {!isRemoved && <p className="hint">{t('verify.engineNote')}</p>}
    </details>
  );
}

function MarkFacts({ mark }: { mark: Judged }) {
  const { t } = useTranslation();
  const { level, certificate, notes, claimedTime, kind, name } = mark;
  const isFormOnly = notes.includes('LEVEL_FORM_ONLY');
  const lines = [
    kind !== 'signature' && name,
    level && t('verify.pades', { level: isFormOnly ? t('verify.fileLevelFormOnly', { level }) : level }),
    certificate &&
      t(certificate.type ? 'verify.certificate' : 'verify.certificateBare', { type: certificate.type, issuer: certificate.issuer }),
    certificate && t('verify.serial', { serial: certificate.serial }),
    certificate?.trust && t('verify.fileTrust', { trust: certificate.trust }),
    certificate?.policy && t('verify.policy', { policy: certificate.policy }),
    claimedTime && t('verify.fileClaimed', { time: formatDateTime(claimedTime) }),
    ...notes.map((note) => t(`verify.note.${note}`)),
  ].filter((line) => typeof line === 'string' && line !== '');
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{markTitle(mark, t)}</h3>
      <ul className="bullets hint">
        {lines.map((line) => (
          <li key={String(line)}>{line}</li>
        ))}
      </ul>
    </>
  );
}
