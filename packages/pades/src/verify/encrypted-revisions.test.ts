import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { latin1Text } from '../pdf/objects.ts';
import { contract, sign } from '../testing/attacks/bases.ts';
import { outcomeOf } from '../testing/attacks/outcome.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { revise } from '../testing/attacks/write-revision.ts';
import type { RevisionText } from '../testing/attacks/write-revision.ts';

const missing = ['qpdf', 'pdftotext'].find((tool) => spawnSync(tool, ['--version']).error !== undefined);
const world = await attackWorld();

/** The contract, encrypted by qpdf with an empty password, and signed. */
async function signedEncrypted(folder: string, how: readonly string[]): Promise<Uint8Array> {
  const [plain, encrypted] = [join(folder, 'plain.pdf'), join(folder, 'encrypted.pdf')];
  writeFileSync(plain, revise(new Uint8Array(), { objects: contract(), form: 'table', trailer: '/Info 6 0 R', prev: null }));
  const made = spawnSync('qpdf', [plain, encrypted, '--allow-weak-crypto', '--encrypt', '', 'dono', ...how, '--']);
  assert.equal(made.status, 0, made.stderr.toString());
  return sign(readFileSync(encrypted), world, 'ana', false);
}

/** What a later revision may say of how the file is encrypted; the first three change nothing for anybody. */
function revisionsOf(signed: Uint8Array): Readonly<Record<string, RevisionText>> {
  const text = latin1Text(signed);
  const [, number = ''] = /\/Encrypt (\d+) 0 R/.exec(text) ?? [];
  const start = text.search(new RegExp(`\\n${number} 0 obj`));
  const dict = text.slice(text.indexOf('<<', start), text.indexOf('endobj', start)).trim();
  const [, first = '', second = ''] = /\/ID\s*\[\s*(<[0-9a-f]*>)\s*(<[0-9a-f]*>)\s*\]/i.exec(text) ?? [];
  const [encrypt, id, other] = [`/Encrypt ${number} 0 R`, `/ID[${first}${second}]`, '<00112233445566778899aabbccddeeff>'];
  const instead = (changed: string): RevisionText => ({ objects: { [number]: changed }, trailer: `${encrypt}${id}` });
  const ended = (more: string) => dict.replace(/>>$/, `${more}>>`);
  const named = dict.includes('/StmF');
  return {
    nothing: { objects: {}, trailer: `${encrypt}${id}` },
    same: instead(dict),
    'second id': { objects: {}, trailer: `${encrypt}/ID[${first}${other}]` },
    'no encryption': { objects: {}, trailer: id },
    'null encryption': { objects: {}, trailer: `/Encrypt null${id}` },
    'a copy': { objects: { 90: dict }, trailer: `/Encrypt 90 0 R${id}` },
    twice: { objects: {}, trailer: `${encrypt}/Encrypt null${id}` },
    free: { objects: {}, rows: { [Number(number)]: 'free' }, trailer: `${encrypt}${id}` },
    'first id': { objects: {}, trailer: `${encrypt}/ID[${other}${second}]` },
    'no id': { objects: {}, trailer: encrypt },
    permissions: instead(dict.replace(/\/P -?\d+/, '/P -44')),
    version: instead(dict.replace(/\/V \d/, '/V 1')),
    metadata: instead(ended('/EncryptMetadata false')),
    files: instead(ended('/EFF/Identity')),
    ...(named && {
      streams: instead(dict.replace(/\/StmF\s*\/StdCF/, '/StmF /Identity')),
      strings: instead(dict.replace(/\/StrF\s*\/StdCF/, '/StrF /Identity')),
      inline: { objects: {}, trailer: `/Encrypt ${dict.replace(/\/StmF\s*\/StdCF/, '/StmF /Identity')}${id}` },
    }),
  };
}

test(
  'of a signed file in cipher no signature passes after a revision that says otherwise how to read it; one that says the same is no change',
  { skip: missing && `no ${missing}` },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'lavra-cipher-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const how of [['256'], ['128', '--use-aes=y'], ['128', '--use-aes=n']]) {
      const signed = await signedEncrypted(folder, how);
      const passed: string[] = [];
      for (const [name, revision] of Object.entries(revisionsOf(signed))) {
        const bytes = revise(signed, { ...revision, form: 'table' });
        const { indication } = await outcomeOf(bytes, { field: 'ana' }, world.options);
        if (indication !== 'TOTAL-PASSED') continue;
        passed.push(name);
        const path = join(folder, 'shown.pdf');
        writeFileSync(path, bytes);
        assert.match(spawnSync('pdftotext', [path, '-']).stdout.toString(), /Valor: 100,00[\s\S]*Segunda pagina/, name);
      }
      assert.deepEqual(passed, ['nothing', 'same', 'second id'], how.join(' '));
    }
  },
);
