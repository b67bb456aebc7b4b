import { signatureModels } from '@lavra/api';
import { checkedModel } from '@lavra/domain';
import { type Selectable, sql } from 'kysely';
import type { SignatureModelTable } from '../../db/process-tables.ts';
import type { Ctx } from '../../context.ts';
import type { EntityRoom } from '../../entities/entity-room.ts';

/** What signatures look like: everyone's own. */
export const signatureModelRoom: EntityRoom<typeof signatureModels> = {
  entity: signatureModels,
  table: 'signature_model',
  scope: ({ userId }) => sql`owner_id = ${userId}`,
  sorts: { name: { column: 'name', text: true }, createdDate: { column: 'created_at' } },
  toRow(written) {
    const model = checkedModel(written);
    return {
      name: model.name,
      name_key: model.name.toLowerCase(),
      width: model.width,
      height: model.height,
      image_position: model.imagePosition,
      custom_text: model.customText,
      text_font: model.textFont,
      text_font_size: model.textFontSize,
      text_padding: model.textPadding,
      text_alignment: model.textAlignment,
    };
  },
  fromRow(row) {
    const model = row as unknown as Selectable<SignatureModelTable>;
    return {
      name: model.name,
      width: model.width,
      height: model.height,
      imagePosition: model.image_position,
      customText: model.custom_text,
      textFont: model.text_font,
      textFontSize: model.text_font_size,
      textPadding: model.text_padding,
      textAlignment: model.text_alignment,
      createdDate: model.created_at.toISOString(),
    };
  },
  born: (ctx, { userId }) => ({ owner_id: userId, created_at: ctx.clock.now() }),
  refusals: { taken: { code: 'model.nameTaken', field: 'name' }, missing: 'model.notFound', inUse: 'model.inUse' },
};

export async function listModelsOf(ctx: Ctx, ownerId: string) {
  const rows = await ctx.db.selectFrom('signature_model').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').execute();
  return rows.map((row) => ({ id: row.id, ...signatureModelRoom.fromRow({ ...row }) }));
}

export async function deleteModelsOf(tx: Ctx, ownerId: string): Promise<void> {
  await tx.db.deleteFrom('signature_model').where('owner_id', '=', ownerId).execute();
}
