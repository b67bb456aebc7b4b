import type { Person, SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { takeOwnLink } from '../processes/reading/take-own-link.ts';

/** Whoever acts as a signer: by their link, or, signed in, as from the link that their account would be given. */
export async function asSigner(ctx: Ctx, actor: SignerLink | Person, signatureProcessId: string): Promise<SignerLink> {
  if (actor.kind === 'signerLink') return actor;
  const own = await takeOwnLink(ctx, actor, signatureProcessId);
  return { kind: 'signerLink', ...own, channel: 'mailed', signedInAs: actor.userId, from: actor.from };
}
