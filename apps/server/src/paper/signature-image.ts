import { DomainError, limits } from '@lavra/domain';
import type { Ctx } from '../context.ts';
import { WorkExceededError } from '../workers/wire.ts';
import type { checkSignatureImage, ImageType } from './signature-image.worker.ts';

const checking = new URL('./signature-image.worker.ts', import.meta.url);

/**
 * Decodes and checks, in a worker and in `caller`'s turn, a picture that somebody sent (a signature's, a company's logo) by its bytes, never by its declared type.
 * @throws DomainError evidence.imageRequired, imageInvalid, imageDamaged, imageAnimated, imageTooSmall, imageTooLarge, imageBlank
 */
export async function readSignatureImage(
  ctx: Ctx,
  base64: string,
  caller: string,
  field = 'signatureImage',
): Promise<{ bytes: Uint8Array; type: ImageType }> {
  const bytes = new Uint8Array(Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64'));
  if (bytes.length === 0) throw new DomainError('evidence.imageRequired', { field });
  if (bytes.length > limits.signatureImageMaxBytes) throw new DomainError('evidence.imageTooLarge', { field, params: { megapixels: 4 } });
  const checked = await ctx.workers
    .run<typeof checkSignatureImage>(checking, 'checkSignatureImage', bytes, { caller })
    .catch((error: unknown) => {
      if (!(error instanceof WorkExceededError)) throw error;
      throw new DomainError('evidence.imageTooLarge', { field, params: { megapixels: 4 } });
    });
  if ('fault' in checked) throw new DomainError(checked.fault, { field, params: checked.params });
  return { bytes, type: checked.type };
}
