import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSigner } from '@lavra/api';
import { limits } from '@lavra/domain';
import { signerBody } from './create-process.ts';
import type { ProcessDraft } from './process-draft.ts';

it('a signer may have as many boxes as are promised, whatever the files are called: our own body stays within what the call takes', () => {
  const perFile = limits.quantityMax;
  const ids = Array.from(
    { length: limits.boxesPerSignerMax / perFile },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  // As long as doubles get.
  const rect = { x: 123.45678901234567, y: 123.45678901234567, width: 150.00000000000003, height: 75.00000000000001 };
  const signer = {
    id: 's',
    name: 'Ana',
    email: 'ana@exemplo.com.br',
    phoneNumber: null,
    cpf: null,
    cnpj: null,
    quantity: perFile,
    dueDate: null,
  };
  const boxes = ids.flatMap((id) =>
    Array.from({ length: perFile }, (_, repetition) => [`s/${id}/${repetition}`, { state: 'ready', page: 1000, rect }] as const),
  );
  const draft = {
    files: ids.map((id) => ({ id })),
    signers: [signer],
    multiple: true,
    visible: true,
    modality: 'electronic',
    boxes: Object.fromEntries(boxes),
    realSignature: {},
    everyPage: {},
  } as unknown as ProcessDraft;
  const documents = ids.map((id) => ({ id, name: `${'ã'.repeat(123)}.pdf` }));
  const body = signerBody(draft, signer, { order: 0, processId: ids[0] ?? '', documents: documents as never, pages: new Map() });
  assert.equal(body.visibleSignature.length, limits.boxesPerSignerMax);
  const length = Buffer.byteLength(JSON.stringify(body));
  assert.ok(length < (createSigner.maxBody ?? 0), `${length}`);
});
