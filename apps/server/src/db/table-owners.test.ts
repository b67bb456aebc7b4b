import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Database } from './tables.ts';

const root = join(import.meta.dirname, '..');

/** A table has one owner: the room whose stores read and write it. Everybody else asks that room. An entity's stands in its store. */
const owners: Record<string, string> = {
  ...entityOwners(),
  account_identity: 'accounts',
  account_key: 'accounts',
  account_limit: 'access',
  app_user: 'accounts',
  audit_event: 'audit',
  authority: 'authority',
  awaited_drawing: 'signing',
  backup_code: 'accounts',
  blob: 'storage',
  clock_mark: 'clock',
  company_invitation: 'companies',
  company_logo: 'companies',
  company_member: 'companies',
  contract_usage: 'plans',
  device: 'accounts',
  document: 'documents',
  document_revision: 'documents',
  event: 'processes',
  expiry_warning: 'management',
  factor_challenge: 'accounts',
  first_account_key: 'accounts',
  idempotency_key: 'http',
  installation: 'installation',
  issued_certificate: 'authority',
  known_device: 'accounts',
  listed_process: 'processes',
  logger_level: 'installation',
  mail: 'mail',
  node_attention: 'management',
  outside_answer: 'outside',
  page_file: 'http',
  passkey: 'accounts',
  past_membership: 'companies',
  placement: 'processes',
  prepared_signature: 'signing',
  process_count: 'processes',
  rate_limit: 'access',
  removed_file: 'documents',
  revocation_list_address: 'outside',
  second_factor_policy: 'accounts',
  session: 'access',
  sign_in_flow: 'accounts',
  signature: 'processes',
  signature_evidence: 'signing',
  signature_process: 'processes',
  signer: 'processes',
  signer_link: 'access',
  signing_attempt: 'signing',
  signing_lease: 'signing',
  sso_session: 'accounts',
  stakeholder: 'processes',
  storage_fault: 'storage',
  storage_identity: 'storage',
  trust_list: 'trust-lists',
  trust_list_certificate: 'trust-lists',
  totp: 'accounts',
  upload_part: 'documents',
  upload_usage: 'documents',
} satisfies Record<Exclude<keyof Database, 'company' | 'signature_model'>, string>;

/** Table → room, of the entities: the `EntityRoom` of a store names its table. */
function entityOwners(): Record<string, string> {
  const named = globSync('features/*/*.store.ts', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^ {2}table: '(\w+)'/gm)].map(
      ([, table = '']) => [table, path.split(/[\\/]/)[1] ?? ''] as const,
    ),
  );
  assert.equal(new Set(named.map(([table]) => table)).size, named.length, 'two rooms keep one table');
  return Object.fromEntries(named);
}

/** Who still reaches into a table of another's, by room. It only gets shorter: a new guest is refused, one that left must leave this list. */
const guests: Record<string, readonly string[]> = {
  // Who acts is read with their session in one statement, at every request.
  access: ['app_user', 'company', 'company_member'],
  // The inventory of stored bytes looks at everybody who refers to them.
  storage: ['document', 'document_revision', 'signature_evidence', 'signature_process', 'signing_attempt'],
  'stored-files': ['app_user', 'blob', 'document', 'document_revision', 'signature_evidence', 'signature_process', 'storage_fault'],
};

const tables = new Set<string>(Object.keys(owners));

/** Room → tables that its stores name, by the builder or in SQL. */
function tablesByRoom(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of globSync('**/*.store.ts', { cwd: root })) {
    const [first = '', second = ''] = path.split(/[\\/]/);
    const room = first === 'features' ? second : first;
    const source = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const named = /(?:selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin|from|into|update|table:)\(?\s*'?([a-z_]+)/g;
    for (const [, table = ''] of source.matchAll(named)) {
      if (tables.has(table)) found.set(room, (found.get(room) ?? new Set()).add(table));
    }
  }
  return found;
}

describe('a table', () => {
  it('of any migration has an owner', () => {
    const migrations = globSync('db/migrations/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
    const made = new Set(
      migrations.flatMap((source) => [...source.matchAll(/create (?:(?:unlogged )?table|view) (\w+)/g)].map(([, table = '']) => table)),
    );
    assert.deepEqual([...made].toSorted(), Object.keys(owners).toSorted());
  });

  it('is touched by its owner’s stores, and by no other’s that is not known for it', () => {
    const strangers = [...tablesByRoom()].flatMap(([room, named]) => {
      const others = [...named].filter((table) => owners[table] !== room).toSorted();
      return others.length === 0 ? [] : [[room, others] as const];
    });
    assert.deepEqual(Object.fromEntries(strangers.toSorted()), guests);
  });

  it('is touched by its owner', () => {
    const byRoom = tablesByRoom();
    const abandoned = Object.entries(owners).filter(([table, room]) => !byRoom.get(room)?.has(table));
    assert.deepEqual(abandoned, []);
  });

  it('is listed for somebody only through the scope of its owner: no other SQL says whose its rows are', () => {
    // What one account has is counted, and one row is looked for, by naming the account; a list takes the scope.
    const lists = globSync(['**/*list*.store.ts', 'entities/*.store.ts'], { cwd: root }).filter((path) => !path.startsWith('outside'));
    assert.equal(lists.length, 3);
    for (const path of lists) {
      const source = readFileSync(join(root, path), 'utf8');
      assert.match(source, /\bscope\(actor\)/, path);
      assert.doesNotMatch(source, /owner_id\s*=|user_id\s*=|'owner_id',\s*'='/, path);
    }
  });
});
