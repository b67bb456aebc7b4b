import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What git of this tree says. */
export const git = (...args: string[]): Buffer => execFileSync('git', ['-C', root, ...args], { maxBuffer: 1 << 30 });

/** The files of a commit with our installed packages; its workspaces are its own. What is started from there runs with those packages. */
export async function filesOf(id: string, tree: string): Promise<string> {
  await lay(git('archive', id), tree);
  if (git('show', `${id}:package-lock.json`).compare(await readFile(join(root, 'package-lock.json'))) !== 0)
    console.log('other packages are installed here than that commit names: it runs with what is installed');
  return tree;
}

/** This tree's files as they stand, committed or not. */
export async function filesOfThisTree(tree: string): Promise<string> {
  const names = git('ls-files', '--cached', '--others', '--exclude-standard', '-z');
  const existing = names
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)));
  const packed = execFileSync('tar', ['-c', '-C', root, '--null', '-T', '-'], { input: existing.join('\0'), maxBuffer: 1 << 30 });
  await lay(packed, tree);
  return tree;
}

async function lay(packed: Buffer, tree: string): Promise<void> {
  await mkdir(join(tree, 'node_modules/@lavra'), { recursive: true });
  execFileSync('tar', ['-x', '-C', tree], { input: packed });
  const installed = join(root, 'node_modules');
  const names = (await readdir(installed)).filter((name) => name !== '@lavra' && !name.startsWith('.'));
  await Promise.all(names.map((name) => symlink(join(installed, name), join(tree, 'node_modules', name))));
  for (const room of ['packages', 'apps'])
    for (const name of await readdir(join(tree, room))) await symlink(join(tree, room, name), join(tree, 'node_modules/@lavra', name));
}
