import { openPdf } from '../open-pdf.ts';
import { govBrTrust, icpBrasilTrust } from '../trust/brazil.ts';
import { joinTrust } from '../trust/trust-store.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import type { DocumentTimestampReport, SignatureReport, VerificationReport } from '../verify/report.ts';
import { describeChanges } from './changes.ts';
import { exitCodes, usageError } from './command.ts';
import type { Command, ExitCode, Options } from './command.ts';
import { openInput, readObjects } from './files.ts';

const usage = `Uso: lavra-pades verify <arquivo.pdf> [--icp-brasil <acs.pem>] [--gov-br <acs.pem>] [--trust <raiz.pem>] …

Confere cada assinatura e carimbo do tempo (EN 319 102-1), sem rede: o que faltou conferir é dito.
Termina com 0 quando todas estão aprovadas, com 6 quando alguma ficou indeterminada, com 1 quando alguma foi reprovada ou
não há assinatura.
  --icp-brasil <acs.pem>     certificados das ACs da ICP-Brasil; só as raízes v5, v12 e v2 valem como âncora
  --gov-br <acs.pem>         certificados da cadeia gov.br
  --trust <raiz.pem>         outra raiz em que você confia (pode repetir)
  --chain <intermediaria>    certificado intermediário que falta no arquivo (pode repetir)
  --crl <lista>              lista de certificados revogados, DER ou PEM (pode repetir)
  --at <data>                conferir como se fosse nesse instante (ISO 8601; padrão: agora)`;

/** `verify`: what every signature of a file is worth, and why. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'confere as assinaturas e carimbos do tempo de um PDF',
  usage,
  options: {
    'icp-brasil': { type: 'string' },
    'gov-br': { type: 'string' },
    trust: { type: 'string', multiple: true },
    chain: { type: 'string', multiple: true },
    crl: { type: 'string', multiple: true },
    at: { type: 'string' },
  },
  async run({ options, positionals, now }) {
    await using source = await openInput(positionals);
    const crls = await readObjects(options.list('crl'));
    const report = await verifyPdf(await openPdf(source), {
      trust: await trustFrom(options),
      at: timeFrom(options, now),
      revocations: { material: () => Promise.resolve({ certificates: [], crls, ocsps: [] }) },
    });
    return { lines: describe(report), data: { ...report }, exitCode: exitCodeOf(report) };
  },
};

async function trustFrom(options: Options): Promise<TrustStore> {
  const [icpBrasil, govBr] = [options.text('icp-brasil'), options.text('gov-br')];
  const own = await readObjects(options.list('trust'));
  return joinTrust(
    ...(icpBrasil === undefined ? [] : [await icpBrasilTrust(await readObjects([icpBrasil]), { history: true })]),
    ...(govBr === undefined ? [] : [await govBrTrust(await readObjects([govBr]))]),
    {
      anchors: own.map((certificate) => ({ certificate, name: '--trust', uses: ['signature', 'timestamp'] as const })),
      intermediates: await readObjects(options.list('chain')),
    },
  );
}

function timeFrom(options: Options, now: () => Date): Date {
  const given = options.text('at');
  const at = given === undefined ? now() : new Date(given);
  if (Number.isNaN(at.getTime())) throw usageError('--at: use uma data ISO 8601, como 2026-11-21T10:00:00Z');
  return at;
}

function exitCodeOf({ indication }: VerificationReport): ExitCode {
  if (indication === 'TOTAL-PASSED') return exitCodes.done;
  return indication === 'INDETERMINATE' ? exitCodes.doubtful : exitCodes.refused;
}

const words = { 'TOTAL-PASSED': 'aprovada', 'TOTAL-FAILED': 'reprovada', INDETERMINATE: 'indeterminada' };

function describe({ signatures, documentTimestamps }: VerificationReport): string[] {
  if (signatures.length === 0 && documentTimestamps.length === 0) return ['Não há assinatura neste arquivo'];
  return [...signatures.flatMap(describeSignature), ...documentTimestamps.flatMap(describeTimestamp)];
}

function describeSignature(one: SignatureReport): string[] {
  const { signer } = one;
  const who = [
    signer?.name ?? 'signatário desconhecido',
    signer?.cpf && `CPF ${signer.cpf}`,
    signer?.cnpj && `CNPJ ${signer.cnpj}`,
    signer?.type,
  ];
  return [
    `${one.fields.join(', ')}: ${words[one.indication]}${because(one)}`,
    `  ${who.filter(Boolean).join(', ')}${one.trust === null ? '' : ` (${one.trust})`}`,
    `  ${[one.level ?? one.subFilter, policyText(one), one.coversWholeFile && 'cobre o arquivo todo'].filter(Boolean).join(', ')}`,
    `  ${one.provenTime ? `existia em ${one.provenTime.toISOString()} (${one.provenBy})` : `data declarada: ${one.claimedTime?.toISOString() ?? 'nenhuma'}`}`,
    ...describeChanges(one.changes),
  ];
}

function policyText({ policy }: SignatureReport): string | null {
  if (policy === null) return null;
  const violated = policy.status === 'violated' ? ` (não cumprida: ${policy.reasons.join(', ')})` : '';
  return `${policy.name ?? policy.oid}${violated}`;
}

function describeTimestamp(one: DocumentTimestampReport): string[] {
  const when = one.time?.toISOString() ?? 'hora desconhecida';
  return [`${one.field}: carimbo do tempo ${when}, ${words[one.indication]}${because(one)}`, ...describeChanges(one.changes)];
}

function because({ subIndication, reasons }: { subIndication: string | null; reasons: readonly string[] }): string {
  return subIndication === null ? '' : ` (${subIndication}: ${reasons.join(', ')})`;
}
