import { createHash } from 'node:crypto';
import { DomainError, limits } from '@lavra/domain';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { readSignatureImage } from '../../paper/signature-image.ts';
import { setLogoHash } from './companies.store.ts';
import { putLogo, removeLogo } from './logos.store.ts';
import { assertMayRun, runCompany } from './may-run.ts';

/**
 * The company's picture for mails, as PNG or JPEG in Base64; null takes it away.
 * @throws DomainError company.notFound, logoTooLarge; evidence.image*; request.forbidden
 */
export async function setLogo(
  ctx: Ctx,
  actor: Person,
  { companyId, image }: { companyId: string; image: string | null },
): Promise<{ logo: string | null }> {
  assertMayRun(actor, companyId);
  const picture = image === null ? null : await readSignatureImage(ctx, image, actor.userId, 'image');
  if (picture && picture.bytes.length > limits.companyLogoMaxBytes)
    throw new DomainError('company.logoTooLarge', { field: 'image', params: { kilobytes: limits.companyLogoMaxBytes / 1024 } });
  const hash = picture && createHash('sha256').update(picture.bytes).digest('hex');
  await ctx.transaction(async (tx) => {
    await runCompany(tx, actor, companyId);
    if (picture && hash) await putLogo(tx, companyId, { hash, contentType: picture.type, image: Buffer.from(picture.bytes) });
    else await removeLogo(tx, companyId);
    await setLogoHash(tx, companyId, hash);
    await recordAudit(tx, { kind: 'record.changed', outcome: 'success', accountId: actor.userId, subjectId: `companies/${companyId}` });
  });
  return { logo: hash };
}
