import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { Revision } from '../source.ts';
import { at, contract, handMade } from '../testing/attacks/bases.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { edit, numberOf, revise, withEntries } from '../testing/attacks/write-revision.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { preparePdf } from './prepare-pdf.ts';

const world = await attackWorld();

async function appended(bytes: Uint8Array, make: (pdf: Awaited<ReturnType<typeof openPdf>>) => Promise<Revision>): Promise<Uint8Array> {
  const source = memorySource(bytes);
  return readAll(withRevision(source, await make(await openPdf(source))));
}

/** A contract with open fields, prepared for two signers with a box each, and signed by the first. */
async function signedByAna(): Promise<Uint8Array> {
  const { [at.ana]: _ana, [at.rui]: _rui, ...own } = contract();
  const form = (own[at.form] ?? '').replace(' 31 0 R 32 0 R', '');
  const page = (own[at.page] ?? '').replace(' 31 0 R 32 0 R', '');
  const plain = revise(new Uint8Array(), { objects: { ...own, [at.form]: form, [at.page]: page }, trailer: '/Info 6 0 R', prev: null });
  const rect = (x: number) => ({ page: 1, rect: { x, y: 300, width: 100, height: 40 } });
  const prepared = await appended(plain, (pdf) =>
    preparePdf(pdf, {
      signatureFields: [{ name: 's1' }, { name: 's2' }],
      textFields: [
        { name: 'evidencia1', at: rect(60), signer: 's1' },
        { name: 'evidencia2', at: rect(260), signer: 's2' },
      ],
      closeFields: true,
    }),
  );
  const fills = [{ field: 'evidencia1', value: 'Ana assinou', appearance: { text: 'Ana assinou' } }];
  return appended(prepared, (pdf) => signPdf(pdf, world.ana, { field: 's1', signingTime: world.at, fills, crypto: world.crypto }));
}

test('a box that belongs to a signer is filled by their signature alone: no stranger, and no other signer', async () => {
  const signed = await signedByAna();
  const filled = (value: string) => edit(signed, numberOf(signed, '/T (evidencia2)'), (text) => text.replace(/\/V ?\(\)/, `/V(${value})`));
  const verdictOf = async (bytes: Uint8Array) =>
    (await verifyPdf(await openPdf(memorySource(bytes)), world.options)).signatures[0]?.indication;
  assert.equal(await verdictOf(signed), 'TOTAL-PASSED');
  assert.equal(await verdictOf(filled('Rui aprovou tudo')), 'TOTAL-FAILED');
  const fills = [{ field: 'evidencia2', value: 'Rui assinou', appearance: { text: 'Rui assinou' } }];
  const second = { field: 's2', signingTime: world.at, crypto: world.crypto };
  assert.equal(await verdictOf(await appended(signed, (pdf) => signPdf(pdf, world.rui, { ...second, fills }))), 'TOTAL-PASSED');
  const elsewhere = { ...second, field: { name: 'outra' }, fills };
  assert.equal(await verdictOf(await appended(signed, (pdf) => signPdf(pdf, world.rui, elsewhere))), 'TOTAL-FAILED');
});

test('fields that an uploader left open are named, and closed by the preparation: filled later, the signature fails', async () => {
  const { openFields } = await inspectPdf(await openPdf(memorySource(await handMade(world))));
  assert.deepEqual(openFields, [{ name: 'livre', type: 'Tx', filled: false, box: [60, 500, 210, 540] }]);
  const signed = await signedByAna();
  assert.deepEqual((await inspectPdf(await openPdf(memorySource(signed)))).openFields, []);
  const filled = edit(signed, at.open, (text) => withEntries(text, '/V(depois)'));
  const [ana] = (await verifyPdf(await openPdf(memorySource(filled)), world.options)).signatures;
  assert.deepEqual([ana?.indication, ana?.reasons], ['TOTAL-FAILED', ['CHANGED_AFTER_SIGNATURE']]);
});
