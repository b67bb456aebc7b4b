import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CertificateFileContent, writeCertificateFile } from '../icp-brasil/certificate-file.ts';
import type { IcpBrasilPki, IssuedCertificate } from '../icp-brasil/pki.ts';
import { type StoredAuthority, storeCertificate, type StoredCertificate } from '../icp-brasil/stored.ts';
import { type CertificatePlan, demonstrationPeople, type DemonstrationPerson, filePassword } from './people.ts';

/** What stays from start to start. Everything in it may be known to everybody. */
export interface KeptCertificates {
  /** That the certificates name. */
  readonly port: number;
  readonly authorities: readonly StoredAuthority[];
  /** By the plan's id. */
  readonly certificates: Readonly<Record<string, StoredCertificate>>;
  /** What signs ICP-Brasil's timestamps; missing in records of before there was any. */
  readonly timestamps?: StoredCertificate;
  /** Anchors of earlier infrastructures, whose port was taken: files signed then stay verifiable. Base64 of DER. */
  readonly formerRoots: readonly string[];
}

const day = 86_400_000;
const nameOfRecord = 'icp-brasil.json';

export async function readKept(directory: string): Promise<KeptCertificates | null> {
  const text = await readFile(join(directory, nameOfRecord), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as KeptCertificates);
}

/** Whole or not at all. `first`: only where nothing is kept yet; false when somebody else was faster. */
export async function keep(directory: string, kept: KeptCertificates, how: 'first' | 'instead'): Promise<boolean> {
  const path = join(directory, nameOfRecord);
  // A process number is no name of one's own: two containers over one folder are both number one.
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, JSON.stringify(kept), { mode: 0o600 });
  if (how === 'instead') {
    await rename(temporary, path);
    return true;
  }
  const isFirst = await link(temporary, path).then(
    () => true,
    () => false,
  );
  await unlink(temporary);
  return isFirst;
}

/** The certificates of all plans: those that were kept, and new ones for the rest. */
export async function certificatesOf(
  pki: IcpBrasilPki,
  kept: Readonly<Record<string, StoredCertificate>>,
): Promise<Map<string, IssuedCertificate>> {
  const made = demonstrationPeople.flatMap((person) =>
    person.certificates.map(async (plan): Promise<[string, IssuedCertificate]> => {
      const stored = kept[plan.id];
      return [plan.id, stored ? await pki.restore(stored) : await issue(pki, person, plan)];
    }),
  );
  return new Map(await Promise.all(made));
}

async function issue(pki: IcpBrasilPki, person: DemonstrationPerson, plan: CertificatePlan): Promise<IssuedCertificate> {
  const ago = (days: number) => new Date(Date.now() - days * day);
  const options = {
    tree: plan.tree,
    type: plan.file === undefined ? ('A3' as const) : ('A1' as const),
    ...(plan.state === 'expired' ? { notBefore: ago(400), notAfter: ago(35) } : {}),
  };
  const issued = await (plan.company ? pki.issueCompany(plan.company, options) : pki.issuePerson(person, options));
  if (plan.state === 'revoked') pki.revoke(issued, ago(0.5));
  return issued;
}

export function storedForm(certificates: ReadonlyMap<string, IssuedCertificate>): Record<string, StoredCertificate> {
  return Object.fromEntries([...certificates].map(([id, one]) => [id, storeCertificate(one)]));
}

/** Writes the .p12 files and what opens them; those that are there stay, unless `anew`. */
export async function writeFiles(directory: string, certificates: ReadonlyMap<string, IssuedCertificate>, anew: boolean): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const person of demonstrationPeople)
    for (const { id, file, company } of person.certificates) {
      const issued = certificates.get(id);
      const path = join(directory, `${id}.p12`);
      if (file === undefined || issued === undefined || (!anew && (await exists(path)))) continue;
      // Without issuers, as most files of people are; the old kind brings its own.
      const chain = file === 'legacy' ? issued.chain.slice(0, -1) : [];
      const content: CertificateFileContent = { certificate: issued.certificate, key: issued.key, chain, name: (company ?? person).name };
      await writeFile(path, writeCertificateFile(content, filePassword, file), { mode: 0o600 });
    }
  await writeFile(join(directory, 'LEIA-ME.txt'), readMe());
}

const exists = (path: string) => stat(path).then(Boolean, () => false);

function readMe(): string {
  const lines = demonstrationPeople.flatMap(({ name, cpf, certificates }) =>
    certificates.flatMap(({ id, file, note }) =>
      file ? [`${id}.p12`, `  ${name}, CPF ${cpf}`, `  Senha: ${filePassword}`, `  ${note}`, ''] : [],
    ),
  );
  return ['Certificados de faz de conta, para experimentar. Não valem nada fora daqui.', '', ...lines].join('\n');
}
