import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signIn } from '../../testing/accounts.ts';
import type { TestApp } from '../../testing/app.ts';
import type { Passing } from '../../testing/database-door.ts';
import { createDraft, type DraftInput, sendElectronically, soon, type TestDraft } from '../../testing/processes.ts';
import { startTwoPrograms, type TwoPrograms, whileHeld } from '../../testing/two-programs.ts';
import { isChainIntact, type RecordedEvent } from '../processes/life/event-chain.ts';

const ana = { login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', firstName: 'Ana', password: 'Segredo123' };
const twoAtOnce = ['Bia Lima', 'Caio Reis'].map((name, index) => ({ name, email: `pessoa${index}@exemplo.com.br`, order: 0 }));

/** The first one decides on what it was handed, and is held on its way to the database while the second one acts. */
describe('two programs over one database', () => {
  let two: TwoPrograms;
  let token: string;
  before(async () => {
    two = await startTwoPrograms();
    await at(0).call(api.register, { body: ana });
    token = await signIn(at(0), ana);
  });
  after(() => two[Symbol.asyncDispose]());

  const at = (index: 0 | 1) => two.at(index) as TestApp;
  const one = async <Row extends object>(text: string, id: string) => (await two.rows<Row>(text, [id]))[0];
  const statusOf = async ({ id }: TestDraft) =>
    (await one<{ status: string }>('select status from signature_process where id = $1', id))?.status;
  const attemptOf = ({ id }: TestDraft) =>
    one<{ state: string; reason: string | null }>('select state, reason from signing_attempt where signature_process_id = $1', id);
  const signaturesOf = async ({ id }: TestDraft) => {
    const of = `select count(*)::int as n from document_revision r join document d on d.id = r.document_id
      where d.signature_process_id = $1 and r.kind = 'signature'`;
    return (await one<{ n: number }>(of, id))?.n;
  };
  const keyOf = async ({ signerIds }: TestDraft, index = 0) => {
    const of = `select key from signer_link where signer_id = $1 and channel = 'mailed' and ended_at is null`;
    return (await one<{ key: string }>(of, signerIds[index] ?? ''))?.key ?? '';
  };
  const eventsOf = ({ id }: TestDraft) =>
    two.rows<RecordedEvent>(
      `select signature_process_id as "signatureProcessId", seq, at, type, signer_id as "signerId", data, previous_hash as "previousHash", hash
      from event where signature_process_id = $1 order by seq`,
      [id],
    );

  /** How it stands wherever it is told: at both, in the list, the rows and the log, whose last events these are; whole, or it fails. */
  async function toldOf(draft: TestDraft, last: number) {
    const told = await Promise.all(
      ([0, 1] as const).map(async (index) => {
        const { body } = await at(index).call(api.getProcessesInfos, { token, query: { size: 100 } });
        const { body: story } = await at(index).call(api.getProcessStory, { token, params: { id: draft.id } });
        return [body.signatureProcesses.find(({ id }) => id === draft.id)?.status, story.status];
      }),
    );
    const statuses = new Set([...told.flat(), await statusOf(draft)]);
    const events = await eventsOf(draft);
    assert.ok(isChainIntact(events), 'the chain is whole');
    const signed = events.filter(({ type }) => type === 'signer.signed').length;
    assert.equal(await signaturesOf(draft), signed, 'as many signatures in the files as in the log');
    return [...statuses, ...events.slice(-last).map(({ type }) => type)];
  }

  async function invited(given: DraftInput = {}): Promise<TestDraft> {
    const draft = await createDraft(at(0), { token }, given);
    assert.equal((await at(0).call(api.startSignatureProcess, { token, params: { id: draft.id } })).status, 204);
    const of = 'select 1 from signature_process where id = $1 and prepared_at is not null';
    await soon('prepared', async () => (await one(of, draft.id)) !== undefined);
    return draft;
  }

  const writes =
    (event: string) =>
    ({ text, values }: Passing) =>
      text.includes('"appended"') && values.includes(event);
  const sign = async (index: 0 | 1, draft: TestDraft, signer = 0) => sendElectronically(at(index), draft.id, await keyOf(draft, signer));
  const refuse = async (index: 0 | 1, draft: TestDraft, signer = 0) => {
    const body = { processId: draft.id, signerId: await keyOf(draft, signer), rejectCause: 'Valor errado' };
    return at(index).call(api.createSignatureRejected, { body });
  };
  const hasEnded = (draft: TestDraft, status: string) => soon(status, async () => (await statusOf(draft)) === status);

  /** Signs at the first program, whose act of this kind waits at the door until `act` has been done at the second one. */
  async function signWhile(draft: TestDraft, event: string, act: () => Promise<{ status: number }>) {
    const [signed, acted] = await whileHeld(two.doors[0], writes(event), () => sign(0, draft), act);
    return { acted: acted.status, signed };
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

  describe('a deadline that passes while an act of before it is held', () => {
    /** Of a moment from now, by when the act stands at the door: no process may be begun with such a one. */
    async function almostOver(): Promise<{ draft: TestDraft; due: Date; passed(): Promise<void> }> {
      const draft = await invited();
      const due = new Date(Date.now() + 6000);
      await two.rows('update signature_process set due_date = $2 where id = $1', [draft.id, due]);
      return { draft, due, passed: () => soon('the deadline', async () => Date.now() > due.getTime()) };
    }
    /** What is done each minute, now. */
    async function sweep(draft: TestDraft) {
      await two.rows(`insert into pgboss.job (name, data) values ('expire-processes', '{}')`);
      await two.rows(`select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), 'expire-processes')`);
      await hasEnded(draft, 'FINALIZED_BY_EXPIRATION');
      return { status: 0 };
    }

    it('finds the signature made, and everything says so, where nobody has noticed it yet', async () => {
      const { draft, due, passed } = await almostOver();
      const late = async () => {
        await passed();
        return refuse(1, draft);
      };
      const { signed, acted } = await signWhile(draft, 'signer.signed', late);
      assert.deepEqual([signed.status, acted], [204, 409]);
      await hasEnded(draft, 'FINALIZED_WITH_SUCCESS');
      assert.deepEqual(await toldOf(draft, 3), ['FINALIZED_WITH_SUCCESS', 'signer.signed', 'process.sealed', 'process.finalized']);
      const [act] = (await eventsOf(draft)).filter(({ type }) => type === 'signer.signed');
      assert.ok(act && act.at < due, 'at the time of the act');
      const asked = { token, params: { processId: draft.id, documentId: draft.id } };
      const report = (await at(1).call(api.downloadEvidence, asked)).raw.rawPayload;
      const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: report, encoding: 'utf8' });
      assert.match(text, /“Bia Lima” assinou/);
      for (const { hash } of await eventsOf(draft)) assert.ok(text.replaceAll(/\s/g, '').includes(hash.slice(0, 16)), hash);
    });

    it('leaves nothing of the signature where the other has ended the process by it', async () => {
      const { draft, passed } = await almostOver();
      const { signed } = await signWhile(draft, 'signer.signed', async () => {
        await passed();
        return sweep(draft);
      });
      assert.equal(signed.status, 204);
      await soon('given up', async () => (await attemptOf(draft))?.state === 'failed');
      assert.equal((await attemptOf(draft))?.reason, 'signer.deadlinePassed');
      assert.deepEqual(await toldOf(draft, 1), ['FINALIZED_BY_EXPIRATION', 'process.expired']);
    });

    it('refuses what was consented to in time and would be signed after it', async () => {
      const { draft, due, passed } = await almostOver();
      const { signed } = await signWhile(draft, 'signer.consented', async () => (await passed(), { status: 0 }));
      assert.equal(signed.status, 204);
      await soon('given up', async () => (await attemptOf(draft))?.state === 'failed');
      assert.equal((await attemptOf(draft))?.reason, 'signer.deadlinePassed');
      const consented = (await eventsOf(draft)).find(({ type }) => type === 'signer.consented');
      assert.ok(consented && consented.at < due);
      await sweep(draft);
      assert.deepEqual(await toldOf(draft, 2), ['FINALIZED_BY_EXPIRATION', 'signer.consented', 'process.expired']);
    });
  });

  describe('a refusal at one', () => {
    const holdsProcess = ({ text }: Passing) => text.includes('signature_process') && /for (no key )?update/.test(text);

    it('ends what another signs at the other: their signature stands before it, or nothing of it is there', async () => {
      const before = await invited({ signers: twoAtOnce });
      const [refused, signed] = await whileHeld(
        two.doors[0],
        holdsProcess,
        () => refuse(0, before, 0),
        async () => {
          const answer = await sign(1, before, 1);
          await soon('signed', async () => (await signaturesOf(before)) === 1);
          return answer;
        },
      );
      assert.deepEqual([refused.status, signed.status], [204, 204]);
      assert.deepEqual(await toldOf(before, 2), ['FINALIZED_BY_REJECTION', 'signer.signed', 'signer.rejected']);

      for (const [event, status, code] of [
        ['signer.signed', 204, undefined],
        ['signer.consented', 409, 'process.notInProgress'],
      ] as const) {
        const draft = await invited({ signers: twoAtOnce });
        const { acted, signed: late } = await signWhile(draft, event, () => refuse(1, draft, 1));
        assert.deepEqual([acted, late.status, late.code], [204, status, code], event);
        await soon('given up', async () => (await attemptOf(draft))?.state !== 'signing');
        const last = event === 'signer.signed' ? ['signer.consented', 'signer.rejected'] : ['signer.rejected'];
        assert.deepEqual(await toldOf(draft, last.length), ['FINALIZED_BY_REJECTION', ...last]);
      }
    });

    it('of who signs at the other is one of both: what comes second is refused, also when the process has ended meanwhile', async () => {
      const finished = await invited();
      const [refused] = await whileHeld(
        two.doors[0],
        holdsProcess,
        () => refuse(0, finished),
        async () => {
          await sign(1, finished);
          await hasEnded(finished, 'FINALIZED_WITH_SUCCESS');
        },
      );
      assert.deepEqual([refused.status, refused.code], [409, 'signer.alreadySigned']);
      assert.deepEqual(await toldOf(finished, 3), ['FINALIZED_WITH_SUCCESS', 'signer.signed', 'process.sealed', 'process.finalized']);

      const draft = await invited();
      const { acted, signed } = await signWhile(draft, 'signer.signed', () => refuse(1, draft));
      assert.deepEqual([acted, signed.status], [204, 204]);
      await soon('given up', async () => (await attemptOf(draft))?.state === 'failed');
      assert.equal((await attemptOf(draft))?.reason, 'signer.alreadyRejected');
      assert.deepEqual(await toldOf(draft, 1), ['FINALIZED_BY_REJECTION', 'signer.rejected']);
    });

    it('loses to the seal that is being recorded at the other', async () => {
      const draft = await invited();
      const [signed, refused] = await whileHeld(
        two.doors[0],
        writes('process.finalized'),
        () => sign(0, draft),
        () => refuse(1, draft),
      );
      assert.deepEqual([signed.status, refused.code], [204, 'signer.alreadySigned']);
      await hasEnded(draft, 'FINALIZED_WITH_SUCCESS');
      assert.deepEqual(await toldOf(draft, 3), ['FINALIZED_WITH_SUCCESS', 'signer.signed', 'process.sealed', 'process.finalized']);
    });
  });
});
