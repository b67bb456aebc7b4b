import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { type DevelopmentCertificates, type PscCall, type PscWorld, startDevelopmentCertificates } from '@lavra/make-believe';
import { freePort } from '../../../testing/free-port.ts';
import { signIn } from '../../../testing/accounts.ts';
import { giveCloudLeave, statusOf, turnOf, until } from '../../../testing/certificate-acts.ts';
import { createDraft } from '../../../testing/processes.ts';
import { overHttp, type Program, startProgram, stopProgram } from '../../../testing/program.ts';
import { findSignatures } from '../../../testing/signatures.ts';

const owner = { login: 'dora@exemplo.com.br', email: 'dora@exemplo.com.br', firstName: 'Dora', password: 'Tinteiro7' };
const ana = { name: 'Ana Beatriz Conceição', email: 'ana@exemplo.com.br', cpf: '52998224725', psc: 'BIRDID' };
const carlos = { name: 'Carlos Eduardo Nóbrega', email: 'carlos@exemplo.com.br', cpf: '11144477735', psc: 'SAFEID' };

/** From now on the provider keeps everybody waiting who makes this call; the others are answered at once. */
function holdAt({ asked, behaviour }: PscWorld['pscs']['BIRDID'], call: PscCall, milliseconds: number): void {
  Object.defineProperty(behaviour, 'delayMs', { configurable: true, get: () => (asked.at(-1) === call ? milliseconds : 0) });
}

const release = ({ behaviour }: PscWorld['pscs']['BIRDID']) =>
  Object.defineProperty(behaviour, 'delayMs', { configurable: true, writable: true, value: 0 });

describe('a server that is killed between the holders’ leave and their signatures', () => {
  let directory: string;
  let providers: DevelopmentCertificates;
  let environment: Record<string, string>;
  let program: Program;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-killed-'));
    const port = String(await freePort());
    const publicUrl = `http://localhost:${port}`;
    environment = { LAVRA_DATA_DIR: directory, PORT: port, LAVRA_PUBLIC_URL: publicUrl };
    // The providers live on when the server dies: it finds them at the address that its own data name.
    const development = join(directory, 'development');
    await mkdir(development, { recursive: true });
    providers = await startDevelopmentCertificates(development, [`${publicUrl}/callback/psc`]);
    program = await startProgram(environment);
  });
  after(async () => {
    await stopProgram(program, 'SIGTERM');
    await providers.close();
    await rm(directory, { recursive: true, force: true });
  });

  const app = () => overHttp(program.url, directory);
  it('signs after its restart with a leave that still holds, or lets the signer try again; nobody signs twice', async () => {
    const { BIRDID, SAFEID } = providers.world?.pscs ?? assert.fail('another node serves the providers');
    assert.equal((await app().call(api.register, { body: owner })).status, 200);
    const token = await signIn(app(), owner);
    const signers = [ana, carlos].map(({ name, email }) => ({ name, email, order: 0 }));
    const draft = await createDraft(app(), { token }, { type: 'DIGITAL_SIGNATURE', documents: ['contrato.pdf', 'anexo.pdf'], signers });
    assert.equal((await app().call(api.startSignatureProcess, { token, params: { id: draft.id } })).status, 204);
    for (const signer of [0, 1]) await turnOf(app(), draft, signer);

    // Ana's provider has been asked for her certificate; Carlos's is just signing, and its values will reach nobody.
    holdAt(BIRDID, 'certificate-discovery', 60_000);
    holdAt(SAFEID, 'signature', 1_500);
    await giveCloudLeave(app(), draft, 0, ana);
    await until(
      () => BIRDID.asked.at(-1),
      (last) => last === 'certificate-discovery',
    );
    await giveCloudLeave(app(), draft, 1, carlos);
    await until(
      () => SAFEID.asked.at(-1),
      (last) => last === 'signature',
    );
    assert.equal(await stopProgram(program, 'SIGKILL'), null);
    await sleep(2_000);
    for (const one of [BIRDID, SAFEID]) release(one);
    program = await startProgram(environment);

    const [first, second] = await Promise.all(
      [0, 1].map((signer) =>
        until(
          () => statusOf(app(), draft, signer),
          ({ status }) => !['AUTHORIZING', 'SIGNING'].includes(String(status)),
        ),
      ),
    );
    assert.equal(first?.status, 'SIGNED');
    assert.notEqual(second?.status, 'SIGNED');
    assert.equal(second?.reason, 'signing.authorizationExpired');
    await giveCloudLeave(app(), draft, 1, carlos);
    await until(
      () => statusOf(app(), draft, 1),
      ({ status }) => status === 'SIGNED',
    );
    const signatures = ({ asked }: typeof BIRDID) => asked.filter((call) => call === 'signature').length;
    assert.deepEqual([signatures(BIRDID), signatures(SAFEID)], [1, 2]);

    const again = await signIn(app(), owner);
    await until(
      () => app().call(api.getSignatureProcess, { token: again, params: { id: draft.id } }),
      ({ body }) => body.status === 'FINALIZED_WITH_SUCCESS',
    );
    for (const documentId of draft.documentIds) {
      const answer = await fetch(`${program.url}/api/downloadSignature/${draft.id}/${documentId}`, {
        headers: { authorization: `Bearer ${again}` },
      });
      await assertSignedOnceEach(Buffer.from(await answer.arrayBuffer()));
    }
  });

  it('lets a signer begin again whose code was lost with the server, as soon as the provider’s time to answer is over', async () => {
    const { BIRDID } = providers.world?.pscs ?? assert.fail('another node serves the providers');
    const token = await signIn(app(), owner);
    const draft = await createDraft(app(), { token }, { type: 'DIGITAL_SIGNATURE', signers: [{ name: ana.name, email: ana.email }] });
    assert.equal((await app().call(api.startSignatureProcess, { token, params: { id: draft.id } })).status, 204);
    await turnOf(app(), draft, 0);
    holdAt(BIRDID, 'token', 600_000);
    giveCloudLeave(app(), draft, 0, ana).catch(() => {});
    await until(
      () => BIRDID.asked.at(-1),
      (last) => last === 'token',
    );
    assert.equal(await stopProgram(program, 'SIGKILL'), null);
    release(BIRDID);
    program = await startProgram(environment);
    const ended = await until(
      () => statusOf(app(), draft, 0),
      ({ status }) => status !== 'SIGNING',
    );
    assert.deepEqual([ended.status, ended.reason], ['ERROR_WHILE_SIGNING', 'signing.authorizationExpired']);
    await giveCloudLeave(app(), draft, 0, ana);
    await until(
      () => statusOf(app(), draft, 0),
      ({ status }) => status === 'SIGNED',
    );
  });

  async function assertSignedOnceEach(pdf: Buffer): Promise<void> {
    // Ana's, Carlos's, and the timestamp of the archive: a revision each.
    assert.equal(findSignatures(pdf).length, 3);
    const ends = [...pdf.toString('latin1').matchAll(/\/ByteRange\s*\[\s*0 \d+ (\d+) (\d+)\s*\]/g)].map(
      ([, c, d]) => Number(c) + Number(d),
    );
    assert.equal(new Set(ends).size, 3);
    const path = join(directory, 'signed.pdf');
    await writeFile(path, pdf);
    const said = execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    // Of document timestamps it says nothing.
    assert.equal(said.match(/Signature Validation: Signature is Valid/g)?.length, 2);
    assert.equal(said.match(/Common Name: ANA BEATRIZ CONCEICAO:52998224725/g)?.length, 1);
    assert.equal(said.match(/Common Name: CARLOS EDUARDO NOBREGA:11144477735/g)?.length, 1);
  }
});
