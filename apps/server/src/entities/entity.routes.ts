import type { Entity } from '@lavra/api';
import type { Routes } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { Created, EntityRoom, Holder, Written } from './entity-room.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from './records.ts';

/**
 * The six calls of an entity (section 7). What was done is said in X-app-alert, as section 8 has it. `holders` are the rooms
 * above that may still need a record which is to be removed.
 */
export function entityRoutes<E extends Entity>(room: EntityRoom<E>, holders: readonly Holder[] = []): Routes {
  const { entity } = room;
  return (app, ctx) => {
    route(app, ctx, entity.list, (c, { actor, query }) => c.lists((lists) => listRecords(lists, actor, room, { ...query, query: '' })));
    route(app, ctx, entity.search, (c, { actor, query }) => c.lists((lists) => listRecords(lists, actor, room, query)));
    route(app, ctx, entity.get, async (c, { actor, params }) => {
      const item = await getRecord(c, actor, room, params.id);
      return room.alone ? room.alone(c, actor, item) : item;
    });
    if (room.toRow ?? room.acts?.create)
      route(app, ctx, entity.create as Entity['create'], async (c, { actor, body, reply }) => {
        const created = await createRecord(c, actor, room, body as Created<E>);
        void reply.code(201).headers({ 'X-app-alert': 'record.created', 'X-app-params': String(created.id) });
        return created as never;
      });
    route(app, ctx, entity.update, async (c, { actor, params, body, reply }) => {
      const changed = await updateRecord(c, actor, room, (params ?? body).id as string | number, body as unknown as Written<E>);
      void reply.headers({ 'X-app-alert': 'record.changed', 'X-app-params': String(changed.id) });
      return changed;
    });
    route(app, ctx, entity.remove, async (c, { actor, params, reply }) => {
      await deleteRecord(c, actor, room, params.id, holders);
      void reply.headers({ 'X-app-alert': 'record.deleted', 'X-app-params': String(params.id) });
    });
  };
}
