import { openPdf } from '../open-pdf.ts';
import { govBrTrust, icpBrasilTrust } from '../trust/brazil.ts';
import { joinTrust } from '../trust/trust-store.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import type { VerificationReport } from '../verify/report.ts';
import { exitCodes, usageError } from './command.ts';
import type { Command, ExitCode, Options } from './command.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { commonName } from '../x509/names.ts';
import { describeReport } from './describe-report.ts';
import { openInput, readCertificates, readProofs } from './files.ts';

const usage = `Uso: lavra-pades verify <arquivo.pdf> [--icp-brasil <acs.pem>] [--gov-br <acs.pem>] [--trust <raiz.pem>] … [--json]

Confere cada assinatura e carimbo do tempo (EN 319 102-1), sem rede: o que faltou conferir é dito.
Termina com 0 quando todas são válidas, com 6 quando alguma ficou indeterminada, com 1 quando alguma é inválida ou
não há assinatura.
  --icp-brasil <acs.pem>     certificados das ACs da ICP-Brasil; só as raízes v5, v12 e v2 valem como âncora
  --gov-br <acs.pem>         certificados da cadeia gov.br
  --trust <raiz.pem>         outra raiz em que você confia (pode repetir)
  --chain <intermediaria>    certificado intermediário que falta no arquivo (pode repetir)
  --crl <lista>              lista de certificados revogados, DER ou PEM (pode repetir)
  --ocsp <resposta>          resposta OCSP guardada em arquivo, DER (pode repetir)
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
    ocsp: { type: 'string', multiple: true },
    at: { type: 'string' },
  },
  async run({ options, positionals, now }) {
    await using source = await openInput(positionals);
    const proofs = await readProofs(options);
    const trust = await trustFrom(options);
    const report = await verifyPdf(await openPdf(source), {
      trust,
      at: timeFrom(options, now),
      revocations: { material: () => Promise.resolve({ certificates: [], ...proofs }) },
    });
    const hint =
      report.signatures.length > 0 && trust.anchors.length === 0
        ? ['Nenhuma autoridade de confiança foi indicada: use --icp-brasil, --gov-br ou --trust']
        : [];
    return { lines: [...describeReport(report), ...hint], data: { ...report }, exitCode: exitCodeOf(report) };
  },
};

async function trustFrom(options: Options): Promise<TrustStore> {
  const [icpBrasil, govBr] = [options.text('icp-brasil'), options.text('gov-br')];
  const own = await readCertificates(options.list('trust'));
  return joinTrust(
    ...(icpBrasil === undefined ? [] : [await icpBrasilTrust(await readCertificates([icpBrasil]), { history: true })]),
    ...(govBr === undefined ? [] : [await govBrTrust(await readCertificates([govBr]))]),
    {
      anchors: own.map((certificate) => ({
        certificate,
        name: `${commonName(parseCertificate(certificate).subject)} (--trust)`,
        uses: ['signature', 'timestamp'] as const,
      })),
      intermediates: await readCertificates(options.list('chain')),
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
