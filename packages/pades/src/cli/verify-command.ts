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

/** `verify`: what every signature of a file is worth, and why. */
export const verifyCommand: Command = {
  name: 'verify',
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
    const isUntrusting = report.signatures.length > 0 && trust.anchors.length === 0;
    return {
      lines: (texts) => [...describeReport(report, texts), ...(isUntrusting ? [texts.report.noTrust] : [])],
      data: { ...report },
      exitCode: exitCodeOf(report),
    };
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
  if (Number.isNaN(at.getTime())) throw usageError(({ faults }) => faults.at);
  return at;
}

function exitCodeOf({ indication }: VerificationReport): ExitCode {
  if (indication === 'TOTAL-PASSED') return exitCodes.done;
  return indication === 'INDETERMINATE' ? exitCodes.doubtful : exitCodes.refused;
}
