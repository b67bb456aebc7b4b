import type * as api from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx, Tx } from '../../../context.ts';
import type { EntityRoom, Row } from '../../../entities/entity-room.ts';
import { listDocumentNames } from '../../documents/process-documents.ts';
import { continueDraft } from '../creation/continue-draft.ts';
import { removeDraft } from '../creation/remove-draft.ts';
import { changeDraft } from './change-draft.ts';
import { changeSigner } from './change-signer.ts';
import { changeStakeholder } from './change-stakeholder.ts';
import { deleteSignature, deleteSigner, deleteStakeholder } from './drafts.store.ts';
import { nameSignature } from './name-signature.ts';
import * as records from './records.store.ts';
import { withSignatures } from './with-signatures.ts';

type Signature = api.EntityItem<typeof api.signatures>;

/** Only a draft of one's own is changed: what was sent is what people were asked to sign. */
const holdDraftOf = async (tx: Tx, actor: Person, row: Row): Promise<void> => {
  await continueDraft(tx, actor, records.processOf(row));
};
const idOf = (row: Row) => String(row['id']);

export const processEntity: EntityRoom<typeof api.signatureProcesses> = {
  ...records.processRows,
  alone: withSignatures,
  acts: {
    write: {
      hold: async (tx, actor, row) => void (await continueDraft(tx, actor, idOf(row))),
      change: (tx, actor, row, { title, dueDate, reminderIn }) => changeDraft(tx, actor, { id: idOf(row), title, dueDate, reminderIn }),
      remove: (tx, actor, row) => removeDraft(tx, actor, idOf(row)),
    },
  },
};

export const signerEntity: EntityRoom<typeof api.signers> = {
  ...records.signerRows,
  acts: {
    write: {
      hold: holdDraftOf,
      change: (tx, actor, row, written) =>
        changeSigner(tx, actor, { ...written, id: idOf(row), signatureProcessId: records.processOf(row) }),
      remove: (tx, _actor, row) => deleteSigner(tx, idOf(row)),
    },
  },
};

export const stakeholderEntity: EntityRoom<typeof api.stakeholders> = {
  ...records.stakeholderRows,
  acts: {
    write: {
      hold: holdDraftOf,
      change: (tx, actor, row, written) =>
        changeStakeholder(tx, actor, {
          id: idOf(row),
          signatureProcessId: records.processOf(row),
          name: written.name ?? written.stakeholderName ?? '',
          email: written.email ?? written.stakeholderEmail ?? '',
        }),
      remove: (tx, _actor, row) => deleteStakeholder(tx, idOf(row)),
    },
  },
};

export const signatureEntity: EntityRoom<typeof api.signatures> = {
  ...records.signatureRows,
  completed: withDocuments,
  acts: {
    create: (tx, actor, { signer, document }) => nameSignature(tx, actor, { id: null, signerId: signer.id, documentId: document.id }),
    write: {
      hold: holdDraftOf,
      async change(tx, actor, row, { signer, document }) {
        await nameSignature(tx, actor, { id: idOf(row), signerId: signer.id, documentId: document.id });
      },
      remove: (tx, _actor, row) => deleteSignature(tx, idOf(row)),
    },
  },
};

async function withDocuments(ctx: Ctx, items: readonly Signature[]): Promise<Signature[]> {
  const documents = await listDocumentNames(ctx, [...new Set(items.map(({ signatureProcess }) => signatureProcess.id))]);
  const names = new Map(documents.map(({ id, name }) => [id, name]));
  return items.map((item) => ({ ...item, document: { id: item.document.id, name: names.get(item.document.id) ?? null } }));
}
