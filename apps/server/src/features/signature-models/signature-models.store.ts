import type { SignatureModel } from '@lavra/domain';
import type { Selectable } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { SignatureModelTable } from '../../db/process-tables.ts';

export interface StoredModel extends SignatureModel {
  id: string;
  createdAt: Date;
}

function fromRow(row: Selectable<SignatureModelTable>): StoredModel {
  return {
    id: row.id,
    name: row.name,
    width: row.width,
    height: row.height,
    imagePosition: row.image_position,
    customText: row.custom_text,
    textFont: row.text_font,
    textFontSize: row.text_font_size,
    textPadding: row.text_padding,
    textAlignment: row.text_alignment,
    createdAt: row.created_at,
  };
}

function toRow(model: SignatureModel) {
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
}

export async function listModels(ctx: Ctx, ownerId: string): Promise<StoredModel[]> {
  const rows = await ctx.db.selectFrom('signature_model').selectAll().where('owner_id', '=', ownerId).orderBy('name_key').execute();
  return rows.map(fromRow);
}

/** Within a transaction the model cannot be deleted before its end. */
export async function findModel(ctx: Ctx, ownerId: string, id: string): Promise<StoredModel | null> {
  const row = await ctx.db
    .selectFrom('signature_model')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .forKeyShare()
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Null: the owner has a model of this name. */
export async function insertModel(
  ctx: Ctx,
  { id, ownerId, createdAt }: { id: string; ownerId: string; createdAt: Date },
  model: SignatureModel,
): Promise<StoredModel | null> {
  const row = await ctx.db
    .insertInto('signature_model')
    .values({ id, owner_id: ownerId, created_at: createdAt, ...toRow(model) })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

const UNIQUE_VIOLATION = '23505';

/** Null: no such model of this owner; 'taken': another one of theirs has the name. */
export async function changeModel(ctx: Ctx, ownerId: string, id: string, model: SignatureModel): Promise<StoredModel | null | 'taken'> {
  try {
    const row = await ctx.db
      .updateTable('signature_model')
      .set(toRow(model))
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .returningAll()
      .executeTakeFirst();
    return row ? fromRow(row) : null;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
}

export async function isModelInUse(ctx: Ctx, id: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('signer')
    .innerJoin('signature_process', 'signature_process.id', 'signer.signature_process_id')
    .select('signer.id')
    .where('signer.model_id', '=', id)
    .where('signature_process.status', '=', 'IN_PROGRESS')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteModel(ctx: Ctx, ownerId: string, id: string): Promise<void> {
  await ctx.db.deleteFrom('signature_model').where('id', '=', id).where('owner_id', '=', ownerId).execute();
}
