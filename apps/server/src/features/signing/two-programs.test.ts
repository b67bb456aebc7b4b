import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { startMailCatcher, startTimestampWorld } from '@lavra/make-believe';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { ensureDatabase } from '../../db/ensure-database.ts';
import { signIn } from '../../testing/accounts.ts';
import { type DatabaseDoor, openDatabaseDoor, type Passing } from '../../testing/database-door.ts';
import { createDraft, sendElectronically, soon, type TestDraft } from '../../testing/processes.ts';
import { overHttp, type Program, startProgram, stopProgram } from '../../testing/program.ts';
import type { TestApp } from '../../testing/app.ts';

const ana = { login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', firstName: 'Ana', password: 'Segredo123' };

/** The first one decides on what it was handed, and is held on its way to the database while the second one acts. */
describe('two programs over one database', () => {
  let directory: string;
  let postgres: EmbeddedPostgres;
  let database: pg.Pool;
  let outside: { close(): Promise<void> }[];
  let doors: DatabaseDoor[];
  let programs: Program[];
  let token: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-two-programs-'));
    await mkdir(join(directory, 'data'));
    postgres = await startEmbeddedPostgres(directory);
    await ensureDatabase(postgres, 'lavra');
    database = new pg.Pool({ host: postgres.host, user: postgres.user, database: 'lavra' });
    // Ends before who looks into it does.
    database.on('error', () => {});
    const [timestamps, mails] = await Promise.all([startTimestampWorld(), startMailCatcher({ directory: join(directory, 'mail') })]);
    outside = [timestamps, mails];
    const TSA_ROOTS = join(directory, 'roots.pem');
    await writeFile(TSA_ROOTS, timestamps.root.certificate.toString('pem'));
    const world = { SMTP_URL: mails.smtpUrl, TSA_URL: timestamps.url, TSA_ROOTS, LAVRA_ALLOW_PRIVATE_FETCH: timestamps.host };
    doors = await Promise.all([0, 1].map(() => openDatabaseDoor(postgres.host)));
    programs = [];
    for (const { port } of doors) {
      const DATABASE_URL = `postgres://${postgres.user}@127.0.0.1:${port}/lavra`;
      programs.push(await startProgram({ ...world, LAVRA_DATA_DIR: join(directory, 'data'), DATABASE_URL }));
    }
    await at(0).call(api.register, { body: ana });
    token = await signIn(at(0), ana);
  });
  after(async () => {
    for (const program of programs) await stopProgram(program, 'SIGKILL');
    for (const door of doors) await door[Symbol.asyncDispose]();
    await database.end();
    await postgres.stop();
    for (const one of outside) await one.close();
    await rm(directory, { recursive: true, force: true });
  });

  const at = (index: number) => overHttp(programs[index]?.url ?? '') as TestApp;
  const one = async <Row extends object>(text: string, id: string) => (await database.query<Row>(text, [id])).rows[0];
  const statusOf = async ({ id }: TestDraft) =>
    (await one<{ status: string }>('select status from signature_process where id = $1', id))?.status;
  const attemptOf = ({ id }: TestDraft) =>
    one<{ state: string; reason: string | null }>('select state, reason from signing_attempt where signature_process_id = $1', id);
  const signaturesOf = async ({ id }: TestDraft) => {
    const of = `select count(*)::int as n from document_revision r join document d on d.id = r.document_id
      where d.signature_process_id = $1 and r.kind = 'signature'`;
    return (await one<{ n: number }>(of, id))?.n;
  };
  const keyOf = async ({ signerIds: [signer = ''] }: TestDraft) =>
    (await one<{ key: string }>(`select key from signer_link where signer_id = $1 and channel = 'mailed' and ended_at is null`, signer))
      ?.key ?? '';

  async function invited(): Promise<TestDraft> {
    const draft = await createDraft(at(0), { token });
    assert.equal((await at(0).call(api.startSignatureProcess, { token, params: { id: draft.id } })).status, 204);
    const of = 'select 1 from signature_process where id = $1 and prepared_at is not null';
    await soon('prepared', async () => (await one(of, draft.id)) !== undefined);
    return draft;
  }

  /** Signs at the first program, whose act of this kind waits at the door until `act` has been done at the second one. */
  async function signWhile(draft: TestDraft, event: string, act: () => Promise<{ status: number }>) {
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
    const { promise: isThere, resolve: there } = Promise.withResolvers<void>();
    const of = ({ text, values }: Passing) => text.includes('"appended"') && values.includes(event);
    doors[0]?.holdNext(of, () => (there(), isDone));
    const signed = sendElectronically(at(0), draft.id, await keyOf(draft));
    await isThere;
    const acted = await act();
    done();
    return { acted: acted.status, signed: await signed };
  }

  it('signs nothing in what is cancelled at one while the other records the signature', async () => {
    const draft = await invited();
    const cancel = () => at(1).call(api.cancelProcess, { token, params: { id: draft.id } });
    const { acted, signed } = await signWhile(draft, 'signer.signed', cancel);
    assert.deepEqual([acted, signed.status], [204, 204]);
    await soon('ended', async () => (await attemptOf(draft))?.state === 'failed');
    assert.equal((await attemptOf(draft))?.reason, 'process.notInProgress');
    assert.deepEqual([await statusOf(draft), await signaturesOf(draft)], ['CREATOR_CANCELED', 0]);
  });

  it('takes no act by a link that is replaced at one while the other writes it', async () => {
    const draft = await invited();
    const [signerId = ''] = draft.signerIds;
    const body = { name: 'Outra Pessoa', email: 'outra@exemplo.com.br', legalIdentifier: null };
    const correct = () => at(1).call(api.correctSigner, { token, params: { id: draft.id, signerId }, body });
    const { acted, signed } = await signWhile(draft, 'signer.consented', correct);
    assert.deepEqual([acted, signed.status, signed.code], [204, 410, 'signer.linkReplaced']);
    assert.deepEqual([await attemptOf(draft), await signaturesOf(draft)], [undefined, 0]);
  });

  it('lets nobody be corrected at one whose signature the other records', async () => {
    const draft = await invited();
    const [signerId = ''] = draft.signerIds;
    const body = { name: 'Outra Pessoa', email: 'outra@exemplo.com.br', legalIdentifier: null };
    const correct = () => at(1).call(api.correctSigner, { token, params: { id: draft.id, signerId }, body });
    const { acted } = await signWhile(draft, 'signer.signed', correct);
    assert.equal(acted, 409);
    await soon('finished', async () => (await statusOf(draft)) === 'FINALIZED_WITH_SUCCESS');
    assert.equal(await signaturesOf(draft), 1);
  });
});
