import type { Appearance, FieldFill } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { listProcessPlacements } from '../processes/load-process.ts';
import { fieldNames } from '../../paper/field-names.ts';

/** What a signer's boxes show, and the block on the signature page. */
export interface SignerAppearances {
  stamp: Appearance & { text: string };
  block: Appearance & { text: string };
}

/**
 * What a signer's revision of a document fills beside their signature: their other boxes, and the evidence block where the
 * document got signature pages. `index`: position of the signer in the process, from 0.
 */
export async function fieldFills(
  ctx: Ctx,
  loaded: LoadedProcess,
  documentId: string,
  index: number,
  { stamp, block }: SignerAppearances,
): Promise<FieldFill[]> {
  const signerId = loaded.signers[index]?.id;
  const boxes = (await listProcessPlacements(ctx, loaded)).filter(
    (placement) => placement.signerId === signerId && placement.documentId === documentId && placement.fieldName !== null,
  );
  const fills: FieldFill[] = boxes.map((box) => ({ field: box.fieldName ?? '', value: stamp.text, appearance: stamp }));
  const document = loaded.documents.find(({ id }) => id === documentId);
  if (document && !document.pageApart) fills.push({ field: fieldNames(documentId).evidence(index), value: block.text, appearance: block });
  return fills;
}
