import { DomainError, type ToldChange, toldChanges } from '@lavra/domain';
import { type DocumentTimestampReport, PadesError, type SignatureReport, type VerificationReport } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { verificationSource } from '../authority/revocation-sources.ts';
import type { DocumentFile } from '../documents/document-file.ts';
import { type StoredPdf, type Turn, verifyStoredPdf } from '../documents/stored-pdf.ts';
import { fieldNames } from '../../paper/field-names.ts';
import { installationTrust } from './installation-trust.ts';

/** What came after a signature, and what else is worth a word. */
interface Afterwards {
  end: number | null;
  coversWholeFile: boolean;
  notes: string[];
  changes: ToldChange[];
}

/** What is told of one signature: the engine's verdict, and the time it proved. */
export interface StoredVerdict extends Afterwards {
  indication: string;
  reasons: string[];
  level: string | null;
  provenTime: string | null;
  /** What the signature says of its time itself. */
  claimedTime: string | null;
  /** Facts of the certificate as the file has it. */
  certificate: { type: string | null; issuer: string; serial: string; trust: string | null; policy: string | null } | null;
}

export interface StoredFileVerdicts {
  /** By the signer's position in the process, from 0; undefined: no signature of theirs is in the file. */
  ofSigner(index: number): StoredVerdict | undefined;
  seals: (Afterwards & {
    name: string;
    kind: 'seal' | 'timestamp' | 'other';
    time: string | null;
    indication: string;
    reasons: string[];
  })[];
}

const unreadable: StoredVerdict = {
  indication: 'INDETERMINATE',
  reasons: ['FILE_UNREADABLE'],
  level: null,
  provenTime: null,
  claimedTime: null,
  certificate: null,
  end: null,
  coversWholeFile: false,
  notes: [],
  changes: [],
};

/** A document file, or one with revisions behind it that are made and not yet recorded (`tail`). */
export type VerifiableFile = StoredPdf & Pick<DocumentFile, 'documentId' | 'name'>;

/**
 * Verifies the stored bytes like an outsider, in a worker, with nothing but the installation's trust: nothing here believes
 * the database. A file that cannot be read gets no verdict better than INDETERMINATE.
 * @throws DomainError document.tooComplex when it takes more than a worker may; server.busy
 */
export async function verifyStoredFile(ctx: Ctx, file: VerifiableFile, turn: Turn): Promise<StoredFileVerdicts> {
  const names = fieldNames(file.documentId);
  try {
    const trust = await installationTrust(ctx);
    const revocations = await verificationSource(ctx, trust);
    const report = await verifyStoredPdf(ctx, file, { trust, at: ctx.clock.now(), revocations }, turn);
    const inField = (field: string) => report.signatures.find(({ fields }) => fields.includes(field));
    return {
      ofSigner(index) {
        const found = inField(names.signature(index));
        return found && { ...verdictOf(found), ...afterwards(found, report) };
      },
      seals: sealsOf(report, names),
    };
  } catch (error) {
    if (!(error instanceof PadesError)) throw error;
    if (error.code === 'TOO_COMPLEX') throw new DomainError('document.tooComplex', { params: { name: file.name } });
    ctx.log.error({ err: error, documentId: file.documentId }, 'a stored file cannot be verified');
    return {
      ofSigner: () => unreadable,
      seals: [],
    };
  }
}

/** By whom, page by page: the same words go to a browser that verifies a file itself. */
function afterwards(
  { end, coversWholeFile, notes, changes, forbidden }: SignatureReport | DocumentTimestampReport,
  { signatures }: VerificationReport,
): Afterwards {
  const named = signatures.map(({ fields, signer }) => ({ fields, name: signer?.name ?? '' }));
  return { end: end > 0 ? end : null, coversWholeFile, notes: [...notes], changes: toldChanges(changes, forbidden, named) };
}

function verdictOf({
  indication,
  reasons,
  level,
  provenTime,
  claimedTime,
  signer,
  chain,
  trust,
  policy,
}: SignatureReport): Omit<StoredVerdict, keyof Afterwards> {
  const [own] = chain;
  return {
    indication,
    reasons: [...reasons],
    level,
    provenTime: provenTime?.toISOString() ?? null,
    claimedTime: claimedTime?.toISOString() ?? null,
    certificate: own
      ? {
          type: signer?.type ?? null,
          issuer: commonNameIn(own.issuer),
          serial: own.serial,
          trust,
          policy: policy?.hash === 'matches' ? policy.name : null,
        }
      : null,
  };
}

/** Of a name as the engine writes it; the whole of it where there is none. */
function commonNameIn(name: string): string {
  return /(?:^|, )CN=([^,]+)/.exec(name)?.[1] ?? name;
}

/** The platform's seal, signatures that the upload already carried, and document timestamps. */
function sealsOf(report: VerificationReport, names: ReturnType<typeof fieldNames>): StoredFileVerdicts['seals'] {
  const isSigner = /_s\d+$/;
  const prefix = names.seal.replace(/_selo$/, '');
  const rest = report.signatures.filter(({ fields }) => !fields.some((field) => field.startsWith(prefix) && isSigner.test(field)));
  return [
    ...rest.map((one) => ({
      name: one.signer?.name ?? '',
      kind: one.fields.includes(names.seal) ? ('seal' as const) : ('other' as const),
      time: (one.provenTime ?? one.claimedTime)?.toISOString() ?? null,
      indication: one.indication,
      reasons: [...one.reasons],
      ...afterwards(one, report),
    })),
    ...report.documentTimestamps.map((one) => ({
      name: one.authority ?? '',
      kind: 'timestamp' as const,
      time: one.time?.toISOString() ?? null,
      indication: one.indication,
      reasons: [...one.reasons],
      ...afterwards(one, report),
    })),
  ];
}
