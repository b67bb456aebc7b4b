import { randomBytes, randomUUID } from 'node:crypto';
import { assertMayAct, DomainError, limits } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import type { Ctx } from '../../context.ts';
import { loadProcess } from '../processes/load-process.ts';
import { replaceAwaitedDrawing } from './drawings.store.ts';

interface Awaited {
  id: string;
  address: string;
  code: string;
  until: string;
}

/**
 * Lets a telephone draw the signature of whoever signs at a computer. The key stands behind the address's `#`, so that no server and
 * no log sees it; it delivers one drawing and opens nothing else.
 * @throws DomainError process.notFound, signer.*, process.notInProgress, request.tooMany
 */
export async function awaitDrawing(ctx: Ctx, actor: SignerLink, processId: string): Promise<Awaited> {
  const signatureProcess = await loadProcess(ctx, processId);
  const signer = signatureProcess.signers.find(({ id }) => id === actor.signerId);
  if (!signer) throw new DomainError('signer.notFound');
  assertMayAct(signatureProcess, signer.id, ctx.clock.now());
  await limitRate(ctx, 'drawing-signer', signer.id);
  const [id, key] = [randomUUID(), randomBytes(24).toString('base64url')];
  const until = new Date(ctx.clock.now().getTime() + limits.drawingMinutes * 60_000);
  await ctx.transaction((tx) => replaceAwaitedDrawing(tx, { id, key, signerId: signer.id, until }));
  const { toDataURL } = await import('qrcode');
  // Pages are in Portuguese unless somebody says otherwise.
  const language = signer.langKey === 'pt-br' ? '' : `?lang=${signer.langKey}`;
  const address = `${ctx.publicUrl}/draw${language}#${key}`;
  return { id, address, code: await toDataURL(address, { errorCorrectionLevel: 'M', margin: 2, width: 232 }), until: until.toISOString() };
}
