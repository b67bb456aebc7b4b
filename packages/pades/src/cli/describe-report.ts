import type { DocumentTimestampReport, NoteCode, ReasonCode, SignatureReport, VerificationReport, Verdict } from '../verify/report.ts';
import type { CertificateHolder } from '../x509/icp-brasil.ts';
import { describeChanges } from './changes.ts';
import { notes, reasons, verdicts } from './texts.ts';

/** A report for people: each verdict first, then who, when, by whose word and why not. */
export function describeReport({ signatures, documentTimestamps, indication }: VerificationReport): string[] {
  if (signatures.length === 0 && documentTimestamps.length === 0) return ['Não há assinatura neste arquivo'];
  const total = indication === null ? 'não há assinatura, só carimbo do tempo' : `${verdicts[indication]}${countOf(signatures)}`;
  return [
    sentenceOn(signatures, documentTimestamps, indication),
    ...signatures.flatMap((one, index) => describeSignature(one, `Assinatura ${index + 1} de ${signatures.length}`)),
    ...documentTimestamps.flatMap((one, index) => describeTimestamp(one, `Carimbo do tempo ${index + 1} de ${documentTimestamps.length}`)),
    `Resultado: ${total}`,
  ];
}

/** What somebody wants to know who reads one line only. */
function sentenceOn(
  signatures: readonly SignatureReport[],
  stamps: readonly DocumentTimestampReport[],
  indication: VerificationReport['indication'],
): string {
  if (indication === null) return 'Este arquivo não tem assinatura, só carimbo do tempo.';
  const names = [...new Set(signatures.map(({ signer }) => signer?.name ?? 'pessoa desconhecida'))].join(', ');
  if (indication === 'TOTAL-PASSED') return `Tudo certo: o documento é o que foi assinado por ${names}.`;
  const isChanged = [...signatures, ...stamps].some(({ reasons: said }) => said.includes('CHANGED_AFTER_SIGNATURE'));
  if (isChanged) return 'Não confie neste arquivo: o que ele mostra mudou depois de assinado.';
  if (indication === 'TOTAL-FAILED') return 'Não confie neste arquivo: há nele assinatura ou carimbo do tempo que não vale.';
  return 'Não dá para afirmar: nada aqui é inválido, mas falta o que prove que está tudo certo.';
}

function countOf(signatures: readonly SignatureReport[]): string {
  if (signatures.length === 1) return '';
  const passed = signatures.filter(({ indication }) => indication === 'TOTAL-PASSED').length;
  return ` (${passed} de ${signatures.length} assinaturas válidas)`;
}

function describeSignature(one: SignatureReport, title: string): string[] {
  const { provenTime, claimedTime } = one;
  const proven = provenTime && `${shownTime(provenTime)}, provada por carimbo do tempo`;
  const claimed = claimedTime && `${shownTime(claimedTime)}, só declarada por quem assinou`;
  return [
    `${title}: ${verdicts[one.indication]}${subIndicationOf(one)}`,
    `  Assinada por:  ${one.signer === null ? 'signatário desconhecido' : holder(one.signer)}`,
    `  Autoridade:    ${one.trust ?? 'nenhuma em que você disse confiar'}`,
    `  Data:          ${proven ?? claimed ?? 'nenhuma'}`,
    `  Tipo:          ${[levelText(one), one.policy?.name ?? one.policy?.oid].filter(Boolean).join(', ')}`,
    `  Campo:         ${one.fields.join(', ')}${extent(one)}`,
    ...because(one.reasons),
    ...noted(one.notes),
    ...unmetPolicy(one),
    ...describeChanges(one.changes),
  ];
}

function describeTimestamp(one: DocumentTimestampReport, title: string): string[] {
  const authority = [one.authority, one.trust && `por ${one.trust}`].filter(Boolean).join(', ');
  return [
    // "O carimbo": masculine.
    `${title}: ${verdicts[one.indication].replace(/A$/, 'O')}${subIndicationOf(one)}`,
    `  Autoridade:    ${authority === '' ? 'desconhecida' : authority}`,
    `  Data:          ${one.time === null ? 'desconhecida' : shownTime(one.time)}`,
    `  Campo:         ${one.field ?? 'sem nome'}${extent(one)}`,
    ...because(one.reasons),
    ...noted(one.notes),
    ...describeChanges(one.changes),
  ];
}

function levelText({ level, notes: said, subFilter }: SignatureReport): string {
  if (level === null) return `${subFilter}, sem nível PAdES`;
  return said.includes('LEVEL_FORM_ONLY') ? `${level} só na forma` : level;
}

function noted(codes: readonly NoteCode[]): string[] {
  return codes.map((code) => `  Nota:          ${notes[code]} [${code}]`);
}

function subIndicationOf({ subIndication }: Verdict): string {
  return subIndication === null ? '' : ` (${subIndication})`;
}

function because(codes: readonly ReasonCode[]): string[] {
  return codes.map((code) => `  Motivo:        ${reasons[code]} [${code}]`);
}

/** What the policy asks and the signature has not; it may be valid all the same. */
function unmetPolicy({ policy, reasons: said }: SignatureReport): string[] {
  if (policy?.status !== 'violated') return [];
  return because(policy.reasons.filter((code) => !said.includes(code))).map((line) => line.replace('Motivo:  ', 'Política:'));
}

function extent({ coversWholeFile }: { coversWholeFile: boolean }): string {
  return coversWholeFile ? ' (cobre o arquivo todo)' : '';
}

function holder({ name, cpf, cnpj, type }: CertificateHolder): string {
  return [
    name,
    cpf && `CPF ${cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')}`,
    cnpj && `CNPJ ${cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')}`,
    type && `certificado ${type}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** In the computer's time zone, which is named. */
function shownTime(time: Date): string {
  const two = '2-digit' as const;
  const parts = { day: two, month: two, year: 'numeric' as const, hour: two, minute: two, second: two, timeZoneName: 'short' as const };
  return new Intl.DateTimeFormat('pt-BR', parts).format(time).replace(',', '');
}
