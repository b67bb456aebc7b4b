import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { defaultDigitalModel, type SignatureModel } from '@lavra/domain';
import { readAll } from '@lavra/pades';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { bia, caio, type CloudStory, digitalProcess, signInCloud, startCloudStory } from '../../testing/cloud.ts';
import { createDraft, startedProcess } from '../../testing/processes.ts';
import { modelStamp } from '../../paper/model-stamp.ts';
import { openDocumentFile } from '../documents/document-file.ts';

let story: CloudStory;
let other: TestAccount;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('signature models', () => {
  before(async () => {
    story = await startCloudStory();
    other = await signedInAccount(story.app);
  });
  after(() => story.close());

  const box = { width: 200, height: 90 };
  const wanted: SignatureModel = {
    ...defaultDigitalModel,
    ...box,
    customText: 'De acordo com o contrato:\n$CERT_CN_WO_CPF$\nCPF $CERT_CPF$ em $SIGN_DATE$',
    textFont: 'TIMES_ROMAN',
    textFontSize: 9,
    textAlignment: 'CENTER',
  };
  const create = (change: Partial<SignatureModel>, who: TestAccount = story.creator) =>
    story.app.call(api.signatureModels.create, { token: who.token, body: { ...wanted, ...change } });
  const update = (id: string, change: Partial<SignatureModel & { version: number }>, who: TestAccount = story.creator) =>
    story.app.call(api.signatureModels.update, { token: who.token, body: { ...wanted, ...change, id } });
  const remove = (id: string, who: TestAccount = story.creator) =>
    story.app.call(api.signatureModels.remove, { token: who.token, params: { id } });
  const names = async (who: TestAccount = story.creator) =>
    (await story.app.call(api.signatureModels.list, { token: who.token, query: {} })).body.items.map(({ name }) => name);

  /** What poppler reads in the first document as it stands. */
  async function readText(documentId: string): Promise<{ text: string; fonts: string }> {
    const { source } = await openDocumentFile(story.app.ctx, documentId);
    const input = await readAll(source);
    const run = (command: string, ...args: string[]) => spawnSync(command, args, { input }).stdout.toString('utf8');
    return { text: run('pdftotext', '-f', '1', '-l', '1', '-layout', '-', '-'), fonts: run('pdffonts', '-l', '1', '-') };
  }

  describe('signature models', () => {
    it('are created, listed by name, read, changed and deleted', async () => {
      const made = await create({ name: ' Zeta ' });
      assert.equal(made.status, 201, made.raw.body);
      const { id, createdDate: _at, ...kept } = made.body;
      assert.deepEqual(kept, { ...wanted, name: 'Zeta', version: 1 });
      assert.equal((await create({ name: 'alfa' })).status, 201);
      assert.deepEqual(await names(), ['alfa', 'Zeta']);
      const changed = await update(id, { name: 'ZETA', width: 300, imagePosition: 'NONE' });
      assert.deepEqual([changed.body.name, changed.body.width, changed.body.imagePosition], ['ZETA', 300, 'NONE']);
      const read = await story.app.call(api.signatureModels.get, { token: story.creator.token, params: { id } });
      assert.deepEqual(read.body, changed.body);
      assert.equal((await remove(id)).status, 204);
      assert.equal((await remove(id)).code, 'model.notFound');
      assert.deepEqual(await names(), ['alfa']);
    });

    it('have names that their owner uses once, whatever the case, accents included; another person may use them', async () => {
      assert.equal((await create({ name: 'Contratação' })).status, 201);
      const again = await create({ name: 'CONTRATAÇÃO' });
      assert.deepEqual([again.status, again.code, again.body], [400, 'model.nameTaken', again.body]);
      const second = await create({ name: 'Outro' });
      assert.equal((await update(second.body.id, { name: 'contrataçÃo' })).code, 'model.nameTaken');
      assert.equal((await update(second.body.id, { name: 'OUTRO' })).status, 200);
      assert.equal((await create({ name: 'Contratação' }, other)).status, 201);
    });

    it('are found without accents and case, page by page; the list that one chooses from is whole and sorts as people sort', async () => {
      const owner = await signedInAccount(story.app);
      for (const number of Array.from({ length: 25 }, (_, index) => index + 1)) await create({ name: `Cláusula ${number}` }, owner);
      const all = await names(owner);
      assert.deepEqual([all.length, all[1], all[24]], [25, 'Cláusula 2', 'Cláusula 25']);
      const search = (query: string, page = 0) =>
        story.app.call(api.signatureModels.search, { token: owner.token, query: { query, page, size: 20, sort: 'name,desc' } });
      const found = await search('CLAUSULA', 1);
      assert.deepEqual([found.body.total, found.body.items.map(({ name }) => name).at(-1)], [25, 'Cláusula 1']);
      assert.deepEqual((await search('contratação')).body.total, 0);
    });

    it('are not overwritten by who read them before they were saved elsewhere; a client that knows no version saves', async () => {
      const { body } = await create({ name: 'Duas abas' });
      assert.equal((await update(body.id, { name: 'Duas abas', width: 210, version: 1 })).body.version, 2);
      const late = await update(body.id, { name: 'Duas abas', width: 220, version: 1 });
      assert.deepEqual([late.status, late.code], [409, 'record.changed']);
      assert.deepEqual((await update(body.id, { name: 'Duas abas', width: 230 })).body.width, 230);
    });

    it('are refused with a code when they are not whole', async () => {
      assert.equal((await create({ name: '  ' })).code, 'model.nameRequired');
      assert.equal((await create({ name: 'Estreito', width: 99 })).code, 'model.invalid');
      assert.equal((await create({ name: 'Fonte', textFont: 'COMIC' as 'COURIER' })).code, 'request.invalid');
    });

    it('are their owner’s alone: nobody else sees, changes, deletes or uses them', async () => {
      const { id } = (await create({ name: 'Só meu' })).body;
      assert.ok(!(await names(other)).includes('Só meu'));
      const get = (token?: string) => story.app.call(api.signatureModels.get, { ...(token ? { token } : {}), params: { id } });
      assert.equal((await get(other.token)).code, 'model.notFound');
      assert.equal((await get()).status, 401);
      assert.equal((await update(id, { name: 'Tomado' }, other)).code, 'model.notFound');
      assert.equal((await remove(id, other)).code, 'model.notFound');
      assert.ok((await names()).includes('Só meu'));
      const used = createDraft(story.app, other, { type: 'DIGITAL_SIGNATURE', signers: [{ ...bia, modelId: id }] });
      await assert.rejects(used, /model\.notFound/);
    });

    it('come back with a process that is begun again, as they are now, while they are there; and how many boxes each signer has', async () => {
      const { id } = (await create({ name: 'De novo' })).body;
      const draft = await startedProcess(story.app, story.creator, {
        type: 'DIGITAL_SIGNATURE',
        signers: [{ ...bia, modelId: id, quantity: 2, box }, caio],
      });
      assert.equal((await story.app.call(api.cancelProcess, { token: story.creator.token, params: { id: draft.id } })).status, 204);
      const template = async () => {
        const { body } = await story.app.call(api.getProcessTemplate, { token: story.creator.token, params: { id: draft.id } });
        return body.signers.map(({ quantity, model }) => [quantity, model]);
      };
      assert.deepEqual(await template(), [
        [2, { id, ...box }],
        [1, null],
      ]);
      assert.equal((await update(id, { name: 'De novo', width: 300 })).status, 200);
      assert.deepEqual((await template())[0], [2, { id, ...box, width: 300 }]);
      assert.equal((await remove(id)).status, 204);
      assert.deepEqual((await template())[0], [2, null]);
    });

    it('belong to digital processes', async () => {
      const { id } = (await create({ name: 'Digital' })).body;
      await assert.rejects(createDraft(story.app, story.creator, { signers: [{ ...bia, modelId: id }] }), /request\.invalid/);
    });
  });

  describe('a signature model in a process', () => {
    it('is drawn as it was when the process was created, whatever became of it, and cannot be deleted until the process ends', async () => {
      const { id } = (await create({ name: 'Do processo' })).body;
      const draft = await digitalProcess(story, { documents: ['um.pdf'], signers: [{ ...bia, modelId: id, box }] });
      const { body: seen } = await story.app.call(api.getRequisitionInformation, {
        params: { processId: draft.id },
        query: { user: draft.signerIds[0] ?? '' },
      });
      assert.deepEqual(seen.me?.box, box);
      const refused = await remove(id);
      assert.deepEqual([refused.status, refused.code], [400, 'model.inUse']);
      assert.equal((await update(id, { name: 'Do processo', customText: 'Mudado depois', textFont: 'COURIER' })).status, 200);

      assert.equal((await signInCloud(story, draft)).status, 'SIGNED');
      const { text, fonts } = await readText(draft.documentIds[0] ?? '');
      const squeezed = text.replace(/\s+/g, ' ');
      assert.match(
        squeezed,
        /De acordo com o contrato: BIA LIMA CPF \*\*\*\.982\.247-\*\* em \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d \(UTC-03:00\)/,
      );
      assert.doesNotMatch(text, /Mudado depois|Assinado digitalmente/);
      assert.match(fonts, /Times-Roman/);
      assert.equal((await remove(id)).status, 204);
    });

    it('says who signed even when it is an image alone and the signer gave none', async () => {
      const { id } = (await create({ name: 'Só imagem', customText: '' })).body;
      const draft = await digitalProcess(story, { documents: ['um.pdf'], signers: [{ ...caio, modelId: id, box }] });
      assert.equal((await signInCloud(story, draft, { cpf: caio.cpf })).status, 'SIGNED');
      const { text } = await readText(draft.documentIds[0] ?? '');
      assert.match(text, /Assinado digitalmente por:/);
      assert.match(text, /CAIO REIS/);
    });

    it('is drawn with the embedded font where its own lacks a letter of the name', () => {
      const facts = { cpf: bia.cpf, at: story.app.ctx.clock.now(), image: null, words: 'Assinado digitalmente por:' };
      assert.equal(modelStamp(wanted, { ...facts, name: 'João Conceição' }).fontFile, undefined);
      assert.ok(modelStamp(wanted, { ...facts, name: 'Łukasz' }).fontFile);
      assert.ok(modelStamp(defaultDigitalModel, { ...facts, name: 'João' }).fontFile);
    });
  });
});
