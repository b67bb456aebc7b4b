import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import { isLinkOpen, openLinkWrites } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';
import type { Write } from '../../db/at-once.ts';

/** Asked again under the process's lock: a correction may have come between the door and the act. @throws DomainError signer.linkReplaced */
export async function assertLinkOpen(tx: Ctx, { key }: SignerLink): Promise<void> {
  if (!(await isLinkOpen(tx, key))) throw replaced();
}

/** The same in the statement of an act. */
export const linkIsOpen = (ctx: Ctx, { key }: SignerLink): Write[] => openLinkWrites(ctx, key, replaced);

const replaced = () => new DomainError('signer.linkReplaced');
