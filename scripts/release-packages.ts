import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of the lock file that is here. */
export interface LockedPackage {
  name: string;
  version: string;
  /** As the lock file says it: `node_modules/a/node_modules/b`. */
  path: string;
  license: string;
  integrity: string | null;
}

interface Entry {
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** What a workspace needs at run time, its own workspaces followed, as it is installed on this machine. */
export function productionPackages(root: string, workspace: string): LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> };
  const found = new Map<string, LockedPackage>();
  const seen = new Set<string>();
  const visit = (at: string) => {
    if (seen.has(at)) return;
    seen.add(at);
    const entry = lock.packages[at] ?? {};
    const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => !entry.peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]) {
      const path = resolveFrom(lock.packages, at, name);
      const there = path === null ? undefined : lock.packages[path];
      if (path === null || there === undefined) continue;
      if (there.link) visit(there.resolved ?? path);
      // One of another system is in the lock file, and not here.
      else if (existsSync(join(root, path))) {
        found.set(path, {
          name,
          path,
          version: there.version ?? '',
          license: licenseOf(root, path, there),
          integrity: there.integrity ?? null,
        });
        visit(path);
      }
    }
  };
  visit(workspace);
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function resolveFrom(packages: Record<string, Entry>, from: string, name: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path]) return path;
    if (at === '') return null;
  }
}

/** Of two that are offered, the one that the product takes. */
const CHOSEN: Readonly<Record<string, string>> = { 'node-forge': 'BSD-3-Clause' };

function licenseOf(root: string, path: string, entry: Entry): string {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { license?: string };
  return CHOSEN[name] ?? entry.license ?? (typeof manifest.license === 'string' ? manifest.license : 'NOASSERTION');
}

/** The texts that go with what is handed on. */
export function notices(root: string, packages: readonly LockedPackage[]): string {
  const parts = packages.map(({ name, version, path, license }) => {
    const files = readdirSync(join(root, path)).filter((file) => /^(licen[cs]e|notice|copying|copyright|ofl)/i.test(file));
    const texts = files.filter((file) => /^[^.]+(\.(md|txt|markdown|mit|bsd))?$/i.test(file));
    const words = texts.map((file) => readFileSync(join(root, path, file), 'utf8').trim());
    return [`${name} ${version}`, `Licence: ${license}`, ...words].join('\n\n');
  });
  const head = 'Lavra is handed on with the following software of others.';
  return `${[head, ...new Set(parts)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** CycloneDX 1.5 of just what is in the archive. */
export function billOfMaterials(
  { name: product, version }: Pick<LockedPackage, 'name' | 'version'>,
  packages: readonly LockedPackage[],
): string {
  const purl = ({ name, version: of }: LockedPackage) => `pkg:npm/${name.replace('@', '%40')}@${of}`;
  const once = [...new Map(packages.map((one) => [purl(one), one])).values()];
  const components = once.map((one) => ({
    type: 'library',
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    purl: purl(one),
    licenses: [/[ ()]/.test(one.license) ? { expression: one.license } : { license: { name: one.license } }],
    ...(one.integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(one.integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
  }));
  const metadata = { component: { type: 'application', 'bom-ref': product, name: product, version } };
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 2)}\n`;
}
