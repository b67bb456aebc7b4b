import type { documents } from '@lavra/api';
import { checkedFileName, DomainError } from '@lavra/domain';
import type { EntityRoom } from '../../entities/entity-room.ts';
import { copyDocument } from './copy-document.ts';
import { deleteUnassigned, documentRows, holdUnassigned, setName, takenRoom } from './document-rows.store.ts';
import { releaseRoom } from './documents.store.ts';

/** Documents as an entity: what a process has taken is what people sign, under that name. */
export const documentEntity: EntityRoom<typeof documents> = {
  ...documentRows,
  acts: {
    create: copyDocument,
    write: {
      async hold(tx, _actor, { id }) {
        if (!(await holdUnassigned(tx, String(id)))) throw new DomainError('document.inUse');
      },
      change: (tx, _actor, { id }, { name }) => setName(tx, String(id), checkedFileName(name)),
      async remove(tx, _actor, row) {
        const { id, ownerId, size } = takenRoom(row);
        await deleteUnassigned(tx, id);
        await releaseRoom(tx, ownerId, size);
      },
    },
  },
};
