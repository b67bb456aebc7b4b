import type { getValidation, Reply } from '@lavra/api';
import { formatCpf, isSealField, type JudgedMark, toldChanges } from '@lavra/domain';
import type { DocumentTimestampReport, SignatureReport, VerificationReport } from '@lavra/pades';

type Validation = Reply<typeof getValidation>;

/** What is shown of one mark in a document, whether this browser judged it or the server did. */
export interface Judged extends JudgedMark {
  /** '' where nobody is named. */
  name: string;
  /** As it may be shown: a visitor by identifier sees it masked. */
  cpf: string | null;
  cnpj: string | null;
  email: string | null;
  /** In its process; null outside of one. */
  status: string | null;
  /** When the process recorded it. */
  signedAt: string | null;
  /** Proven by a timestamp, or only said by whoever signed. */
  provenTime: string | null;
  claimedTime: string | null;
  coversWholeFile: boolean;
  /** As B-LTA. */
  level: string | null;
  notes: readonly string[];
  certificate: { type: string | null; issuer: string; serial: string; trust: string | null; policy: string | null } | null;
  brokenPolicy: { name: string; reasons: readonly string[] } | null;
}

const nothingElse = {
  name: '',
  cpf: null,
  cnpj: null,
  email: null,
  status: null,
  signedAt: null,
  provenTime: null,
  claimedTime: null,
  level: null,
  certificate: null,
  brokenPolicy: null,
};

/** Of a file that was judged in this browser. */
export function judgedInReport(report: VerificationReport): Judged[] {
  const named = report.signatures.map(({ fields, signer }) => ({ fields, name: signer?.name ?? '' }));
  const common = (one: SignatureReport | DocumentTimestampReport) => ({
    ...nothingElse,
    indication: one.indication,
    reasons: one.reasons,
    end: one.end > 0 ? one.end : null,
    coversWholeFile: one.coversWholeFile,
    notes: one.notes,
    changes: toldChanges(one.changes, one.forbidden, named),
    provenTime: null,
  });
  return [
    ...report.signatures.map((one) => ({ ...common(one), ...signatureFacts(one) })),
    ...report.documentTimestamps.map((one) => ({
      ...common(one),
      kind: 'timestamp' as const,
      name: one.authority ?? '',
      provenTime: one.time?.toISOString() ?? null,
    })),
  ];
}

function signatureFacts({ fields, signer, policy, level, chain, trust, provenTime, claimedTime }: SignatureReport) {
  const [own] = chain;
  return {
    kind: fields.some(isSealField) && signer?.cpf == null ? ('seal' as const) : ('signature' as const),
    name: signer?.name ?? '',
    cpf: signer?.cpf ? formatCpf(signer.cpf) : null,
    cnpj: signer?.cnpj ?? null,
    level,
    provenTime: provenTime?.toISOString() ?? null,
    claimedTime: claimedTime?.toISOString() ?? null,
    certificate: own
      ? {
          type: signer?.type ?? null,
          issuer: /(?:^|, )CN=([^,]+)/.exec(own.issuer)?.[1] ?? own.issuer,
          serial: own.serial,
          trust,
          policy: policy?.hash === 'matches' ? policy.name : null,
        }
      : null,
    brokenPolicy: policy?.status === 'violated' ? { name: policy.name ?? policy.oid, reasons: policy.reasons } : null,
  };
}

/** Of a document of this installation, as the server judged its stored bytes: who signed, then seal, timestamps and what it came with. */
export function judgedInValidation({ signers, seals }: Validation): Judged[] {
  return [
    ...signers
      .filter(({ status }) => status === 'SIGNED')
      .map((signer) => ({ ...nothingElse, ...signer, kind: 'signature' as const, cpf: signer.legalIdentifier })),
    ...seals.map((seal) => ({
      ...nothingElse,
      ...seal,
      kind: seal.kind === 'other' ? ('signature' as const) : seal.kind,
      provenTime: seal.kind === 'timestamp' ? seal.time : null,
      claimedTime: seal.kind === 'timestamp' ? null : seal.time,
    })),
  ];
}
