import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import { isLinkOpen } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';

/** Asked again under the process's lock: a correction may have come between the door and the act. @throws DomainError signer.linkReplaced */
export async function assertLinkOpen(tx: Ctx, { key }: SignerLink): Promise<void> {
  if (!(await isLinkOpen(tx, key))) throw new DomainError('signer.linkReplaced');
}
