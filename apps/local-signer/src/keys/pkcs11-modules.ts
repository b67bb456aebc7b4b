import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const linuxFolders = ['/usr/lib', '/usr/lib64', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/local/lib'];
const linuxNames = [
  'libeToken.so',
  'libeTPkcs11.so',
  'libIDPrimePKCS11.so',
  'libaetpkss.so',
  'libaetpkss.so.3',
  'libcastle.so.1.0.0',
  'libOcsCryptoki.so',
  'libDXSafePKCS11.x64.so',
  'libbirdid.so',
  'opensc-pkcs11.so',
];
const windowsNames = ['eTPKCS11.dll', 'aetpkss1.dll', 'WDPKCS.dll', 'eps2003csp11.dll', 'opensc-pkcs11.dll'];
const macPaths = [
  '/usr/local/lib/libeTPkcs11.dylib',
  '/Library/Frameworks/eToken.framework/Versions/Current/libeToken.dylib',
  '/Library/Frameworks/eToken.framework/Versions/Current/libIDPrimePKCS11.dylib',
  '/usr/local/lib/libaetpkss.dylib',
  '/Applications/tokenadmin.app/Contents/Frameworks/libaetpkss.dylib',
  '/Library/OpenSC/lib/opensc-pkcs11.so',
];

function knownPaths(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return macPaths;
  if (platform === 'win32') {
    const system = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
    return windowsNames.map((name) => join(system, name));
  }
  return linuxFolders.flatMap((folder) => linuxNames.map((name) => join(folder, name)));
}

/**
 * The modules to ask: the ones that were named, as they were named, then those of the well-known places that are there. One file under two
 * names is asked once. A named module that is missing stays in the list: the window then says that it cannot be loaded.
 * `platform` null: only the named ones.
 */
export function pkcs11Modules(named: readonly string[], platform: NodeJS.Platform | null = process.platform): string[] {
  const found = new Map<string, string>();
  for (const path of named) found.set(existsSync(path) ? realpathSync(path) : path, path);
  for (const path of platform === null ? [] : knownPaths(platform)) {
    if (!existsSync(path)) continue;
    const real = realpathSync(path);
    if (!found.has(real)) found.set(real, path);
  }
  return [...found.values()];
}
