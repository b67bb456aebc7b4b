import { extendPdf } from '../extend/extend-pdf.ts';
import type { PolicyArtifacts } from '../material.ts';
import { openPdf } from '../open-pdf.ts';
import { usageError } from './command.ts';
import type { Command, Options } from './command.ts';
import { assertFree, openInput, readBytes, readCertificates, readProofs, writeOutput } from './files.ts';
import { timestampOverHttp } from './timestamp-over-http.ts';

const many = { type: 'string' as const, multiple: true };
const one = { type: 'string' as const };
const levels = ['B-T', 'B-LT', 'B-LTA'] as const;

/** `extend`: B-T, B-LT, B-LTA with material from files; the certificates' own addresses are not asked. */
export const extendCommand: Command = {
  name: 'extend',
  options: {
    ...Object.fromEntries(['out', 'level', 'tsa', 'policy-file', 'lpa', 'lpa-signature'].map((name) => [name, one])),
    ...Object.fromEntries(['crl', 'ocsp', 'certificate'].map((name) => [name, many])),
  },
  async run({ options, positionals, now }) {
    const out = options.required('out');
    await assertFree(out);
    options.required('level');
    const level = options.choice('level', levels) ?? 'B-LTA';
    const tsa = options.text('tsa');
    if (level !== 'B-LT' && tsa === undefined) throw usageError(({ faults }) => faults.tsaMissing(level));
    const material = {
      certificates: await readCertificates(options.list('certificate')),
      ...(await readProofs(options)),
    };
    if (level !== 'B-T' && material.crls.length + material.ocsps.length === 0)
      throw usageError(({ faults }) => faults.proofsMissing(level));
    const policyArtifacts = await artifactsOf(options);
    await using source = await openInput(positionals);
    const revision = await extendPdf(await openPdf(source), level, {
      revocations: { material: () => Promise.resolve(material) },
      at: now(),
      ...(tsa === undefined ? {} : { timestamps: timestampOverHttp(tsa) }),
      ...(policyArtifacts ? { policyArtifacts } : {}),
    });
    await writeOutput(out, source, revision);
    return {
      lines: ({ extend }) => [extend.done(level, out)],
      data: { out, level, size: revision.offset + revision.bytes.length },
    };
  },
};

async function artifactsOf(options: Options): Promise<PolicyArtifacts | undefined> {
  const paths = ['policy-file', 'lpa', 'lpa-signature'].map((name) => options.text(name));
  const [policy, list, signature] = paths;
  if (policy === undefined && list === undefined && signature === undefined) return undefined;
  if (policy === undefined || list === undefined || signature === undefined) throw usageError(({ faults }) => faults.artifacts);
  return {
    policy: await readBytes(policy),
    approvedPolicies: await readBytes(list),
    approvedPoliciesSignature: await readBytes(signature),
  };
}
