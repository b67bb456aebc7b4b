import type { OwnSignatureModel } from '@lavra/api';
import { defaultModels, type SignatureModel } from '@lavra/domain';
import type { ProcessDraft } from './process-draft.ts';

type Choice = Pick<ProcessDraft, 'modality' | 'modelId'>;

/** What the boxes of a draft will show: one of the creator's own models in a digital process, or the default. */
export function chosenModel(
  { modality, modelId }: Choice,
  models: readonly OwnSignatureModel[] | undefined,
  electronic: SignatureModel = defaultModels.electronic,
): SignatureModel {
  const own = modality === 'digital' ? models?.find(({ id }) => id === modelId) : undefined;
  return own ?? (modality === 'digital' ? defaultModels.digital : electronic);
}

/** Another modality or model; boxes of another size have to be placed again. */
export function withChoice(
  draft: ProcessDraft,
  change: Partial<Choice>,
  models: readonly OwnSignatureModel[] | undefined,
): Partial<ProcessDraft> {
  const [before, after] = [chosenModel(draft, models), chosenModel({ ...draft, ...change }, models)];
  const sameSize = before.width === after.width && before.height === after.height;
  return sameSize ? change : { ...change, boxes: {} };
}

/** Another modality, with its own choice of being seen; the one that is left keeps its own. */
export function withModality(
  draft: ProcessDraft,
  modality: NonNullable<ProcessDraft['modality']>,
  models: readonly OwnSignatureModel[] | undefined,
): Partial<ProcessDraft> {
  if (draft.modality === modality) return {};
  const seen = draft.modality === null ? {} : { visible: draft.visibleElsewhere ?? false, visibleElsewhere: draft.visible };
  return { ...withChoice(draft, { modality }, models), ...seen };
}
