import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { contractOf } from '../../../testing/contracts.ts';
import { createDraft, samplePdf, upload } from '../../../testing/processes.ts';

describe('what is done at the same time to one draft', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const start = (id: string) => app.call(api.startSignatureProcess, { token: ana.token, params: { id } });
  const addSigner = (id: string, email: string, headers = {}) =>
    app.call(api.createSigner, {
      headers,
      token: ana.token,
      body: {
        signer: { name: 'Caio Reis', email, order: 1, signatureProcess: { id } },
        signatureVisibleActive: false,
        visibleSignature: [],
      },
    });
  const begin = (files: readonly { id: string }[], headers = {}) =>
    app.call(api.createSignatureProcess, {
      headers,
      token: ana.token,
      body: {
        title: 'Contrato',
        type: 'ELETRONIC_SIGNATURE',
        files: files.map(({ id }) => ({ id })),
        dueDate: null,
        reminderIn: null,
        geolocation: 'optional',
      },
    });
  const count = async (query: ReturnType<typeof sql<{ n: number }>>) => Number((await query.execute(app.ctx.db)).rows[0]?.n);

  it('eight signers are all added, each with one link whose key is not their id; no more than there may be', async () => {
    const draft = await createDraft(app, ana);
    const added = await Promise.all(Array.from({ length: 8 }, (_, n) => addSigner(draft.id, `p${n}@exemplo.com.br`)));
    assert.deepEqual(new Set(added.map(({ status }) => status)), new Set([200]));
    const links = await sql<{ links: number; own: number }>`
      select count(l.key)::int as links, count(*) filter (where l.key <> s.id)::int as own
      from signer s left join signer_link l on l.signer_id = s.id where s.signature_process_id = ${draft.id}`.execute(app.ctx.db);
    assert.deepEqual(links.rows[0], { links: 9, own: 9 });
    const there = () => count(sql`select count(*) as n from signer where signature_process_id = ${draft.id}`);
    await sql`
      insert into signer (id, signature_process_id, name, email, "order", status, quantity, visible, lang_key, created_at)
      select gen_random_uuid(), ${draft.id}, 'Pessoa', 'x' || n || '@exemplo.com.br', 1, 'WAITING', 1, false, 'pt-br', now()
      from generate_series(1, ${limits.signersPerProcessMax - 10}::int) as n`.execute(app.ctx.db);
    assert.equal(await there(), limits.signersPerProcessMax - 1);
    const last = await Promise.all(Array.from({ length: 6 }, (_, n) => addSigner(draft.id, `q${n}@exemplo.com.br`)));
    assert.equal(last.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(new Set(last.filter(({ status }) => status !== 200).map(({ code }) => code)), new Set(['process.tooManySigners']));
    assert.equal(await there(), limits.signersPerProcessMax);
  });

  it('starts once, however often it is asked for, with whoever was added before', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await createDraft(app, ana);
      const answers = await Promise.all([
        start(id),
        addSigner(id, 'a@exemplo.com.br'),
        start(id),
        addSigner(id, 'b@exemplo.com.br'),
        start(id),
      ]);
      for (const [at, one] of answers.entries())
        assert.ok(at % 2 === 0 ? one.status === 204 : one.status === 200 || one.code === 'process.notDraft', one.raw.body);
      const { rows } = await sql<{ started: number; told: number; signers: number; signatures: number }>`
        select (select count(*)::int from event where signature_process_id = ${id} and type = 'process.started') as started,
          (select jsonb_array_length(data->'signers') from event where signature_process_id = ${id} and type = 'process.started') as told,
          (select count(*)::int from signer where signature_process_id = ${id}) as signers,
          (select count(*)::int from signature where signature_process_id = ${id}) as signatures`.execute(app.ctx.db);
      const [found] = rows;
      assert.deepEqual(found, { started: 1, told: found?.signers, signers: found?.signers, signatures: found?.signers });
    }
  });

  it('two drafts over one document: one of them has it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { body } = await upload(app, ana.token, [{ name: 'contrato.pdf', bytes: await samplePdf() }]);
      const answers = await Promise.all([begin(body), begin(body), begin(body), begin(body)]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ raw }) => raw.body).join('\n'));
      assert.ok(answers.every(({ status, code }) => status === 200 || code === 'document.inUse'));
      const empty = sql<{ n: number }>`
        select count(*) as n from signature_process p where not exists (select from document where signature_process_id = p.id)`;
      assert.equal(await count(empty), 0);
    }
  });

  it('under an Idempotency-Key, which is one transaction, is done and refused as without', async () => {
    const key = () => ({ 'Idempotency-Key': crypto.randomUUID() });
    const eva = await signedInAccount(app);
    await contractOf(app, ana, eva, { eletronicSignatures: '1' });
    const draftOf = (count: number) =>
      createDraft(app, eva, {
        signers: Array.from({ length: count }, (_, n) => ({ name: 'Caio Reis', email: `k${n}@exemplo.com.br`, order: 0 })),
      });
    const start = (id: string) => app.call(api.startSignatureProcess, { token: eva.token, params: { id }, headers: key() });
    const [over, fits] = [await draftOf(2), await draftOf(1)];
    assert.equal((await start(over.id)).code, 'contract.electronicSignaturesUsedUp');
    assert.equal((await start(fits.id)).status, 204);
    const draft = await createDraft(app, ana);
    const added = await Promise.all(Array.from({ length: 6 }, (_, n) => addSigner(draft.id, `c${n}@exemplo.com.br`, key())));
    assert.deepEqual(
      added.map(({ status }) => status),
      added.map(() => 200),
    );
    for (let round = 0; round < 3; round += 1) {
      const { body } = await upload(app, ana.token, [{ name: 'contrato.pdf', bytes: await samplePdf() }]);
      const answers = await Promise.all(Array.from({ length: 4 }, () => begin(body, key())));
      assert.deepEqual(new Set(answers.map(({ status, code }) => (status === 200 ? 'begun' : code))), new Set(['begun', 'document.inUse']));
    }
  });
});
