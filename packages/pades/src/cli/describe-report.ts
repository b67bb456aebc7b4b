import type { DocumentTimestampReport, NoteCode, ReasonCode, SignatureReport, VerificationReport, Verdict } from '../verify/report.ts';
import type { CertificateHolder } from '../x509/icp-brasil.ts';
import { describeChanges } from './changes.ts';
import { labelled } from './labelled.ts';
import type { Texts } from './texts.ts';

/** A report for people: each verdict first, then who, when, by whose word and why not. */
export function describeReport(report: VerificationReport, texts: Texts): string[] {
  const { signatures, documentTimestamps, indication } = report;
  const { report: says, verdicts } = texts;
  if (signatures.length === 0 && documentTimestamps.length === 0) return [says.nothing];
  const total = indication === null ? says.timestampsOnlyResult : `${verdicts[indication]}${countOf(signatures, texts)}`;
  return [
    sentenceOn(report, texts),
    ...signatures.flatMap((one, index) => describeSignature(one, says.signature(index + 1, signatures.length), texts)),
    ...documentTimestamps.flatMap((one, index) => describeTimestamp(one, says.timestamp(index + 1, documentTimestamps.length), texts)),
    says.result(total),
  ];
}

/** What somebody wants to know who reads one line only. */
function sentenceOn({ signatures, documentTimestamps, indication }: VerificationReport, { report: says }: Texts): string {
  if (indication === null) return says.timestampsOnly;
  const names = [...new Set(signatures.map(({ signer }) => signer?.name ?? says.somebody))].join(', ');
  if (indication === 'TOTAL-PASSED') return says.allRight(names);
  const isChanged = [...signatures, ...documentTimestamps].some(({ reasons: said }) => said.includes('CHANGED_AFTER_SIGNATURE'));
  if (isChanged) return says.changed;
  return indication === 'TOTAL-FAILED' ? says.failed : says.doubtful;
}

function countOf(signatures: readonly SignatureReport[], { report: says }: Texts): string {
  if (signatures.length === 1) return '';
  const passed = signatures.filter(({ indication }) => indication === 'TOTAL-PASSED').length;
  return ` (${says.passedOf(passed, signatures.length)})`;
}

function describeSignature(one: SignatureReport, title: string, texts: Texts): string[] {
  const { report: says } = texts;
  const { provenTime, claimedTime } = one;
  const proven = provenTime && says.provenAt(shownTime(provenTime, texts));
  const claimed = claimedTime && says.claimedAt(shownTime(claimedTime, texts));
  return [
    `${title}: ${texts.verdicts[one.indication]}${subIndicationOf(one)}`,
    labelled(texts, 'signedBy', one.signer === null ? says.unknownSigner : holder(one.signer, texts)),
    labelled(texts, 'authority', one.trust ?? says.noAuthority),
    labelled(texts, 'date', proven ?? claimed ?? says.none),
    labelled(texts, 'kind', [levelText(one, texts), one.policy?.name ?? one.policy?.oid].filter(Boolean).join(', ')),
    labelled(texts, 'field', `${one.fields.join(', ')}${extent(one, texts)}`),
    ...because(one.reasons, texts),
    ...noted(one.notes, texts),
    ...unmetPolicy(one, texts),
    ...describeChanges(one.changes, texts),
  ];
}

function describeTimestamp(one: DocumentTimestampReport, title: string, texts: Texts): string[] {
  const { report: says } = texts;
  const authority = [one.authority, one.trust && says.by(one.trust)].filter(Boolean).join(', ');
  return [
    `${title}: ${texts.timestampVerdicts[one.indication]}${subIndicationOf(one)}`,
    labelled(texts, 'authority', authority === '' ? says.unknownAuthority : authority),
    labelled(texts, 'date', one.time === null ? says.unknownTime : shownTime(one.time, texts)),
    labelled(texts, 'field', `${one.field ?? says.nameless}${extent(one, texts)}`),
    ...because(one.reasons, texts),
    ...noted(one.notes, texts),
    ...describeChanges(one.changes, texts),
  ];
}

function levelText({ level, notes: said, subFilter }: SignatureReport, { report: says }: Texts): string {
  if (level === null) return says.noLevel(subFilter);
  return said.includes('LEVEL_FORM_ONLY') ? says.formOnly(level) : level;
}

function noted(codes: readonly NoteCode[], texts: Texts): string[] {
  return codes.map((code) => labelled(texts, 'note', `${texts.notes[code]} [${code}]`));
}

function subIndicationOf({ subIndication }: Verdict): string {
  return subIndication === null ? '' : ` (${subIndication})`;
}

function because(codes: readonly ReasonCode[], texts: Texts, label: 'reason' | 'policy' = 'reason'): string[] {
  return codes.map((code) => labelled(texts, label, `${texts.reasons[code]} [${code}]`));
}

/** What the policy asks and the signature has not; it may be valid all the same. */
function unmetPolicy({ policy, reasons: said }: SignatureReport, texts: Texts): string[] {
  if (policy?.status !== 'violated') return [];
  return because(
    policy.reasons.filter((code) => !said.includes(code)),
    texts,
    'policy',
  );
}

function extent({ coversWholeFile }: { coversWholeFile: boolean }, { report: says }: Texts): string {
  return coversWholeFile ? says.coversAll : '';
}

function holder({ name, cpf, cnpj, type }: CertificateHolder, { report: says }: Texts): string {
  return [
    name,
    cpf && `CPF ${cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')}`,
    cnpj && `CNPJ ${cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')}`,
    type && says.certificateType(type),
  ]
    .filter(Boolean)
    .join(', ');
}

/** In the computer's time zone, which is named. */
function shownTime(time: Date, { language }: Texts): string {
  const two = '2-digit' as const;
  const parts = { day: two, month: two, year: 'numeric' as const, hour: two, minute: two, second: two, timeZoneName: 'short' as const };
  return new Intl.DateTimeFormat(language, { ...parts, hourCycle: 'h23' }).format(time).replace(',', '');
}
