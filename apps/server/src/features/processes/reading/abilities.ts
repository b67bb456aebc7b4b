import type { ProcessAbilities } from '@lavra/api';
import { canCancel, canCorrect, canDownload, canHandOutLink, canRepeat, canSign, canTellAgain, type TurnFacts } from '@lavra/domain';

/** What an actor may do with a process; `own`: the signers that they are. */
export function abilitiesOf(
  facts: TurnFacts & { currentIsOwner: boolean; filesRemovedAt: Date | null },
  own: readonly { id: string }[],
  now: Date,
): ProcessAbilities {
  return {
    cancel: canCancel(facts),
    download: canDownload(facts),
    sign: own.some(({ id }) => canSign(facts, id, now)),
    repeat: canRepeat(facts),
  };
}

/** What an actor may do for one signer of a process. */
export function abilitiesFor(
  facts: TurnFacts & { currentIsOwner: boolean },
  signer: { id: string; isOwn: boolean; toldAgainAt: Date | null },
  now: Date,
): { sign: boolean; handOutLink: boolean; tellAgain: boolean; correct: boolean } {
  return {
    sign: signer.isOwn && canSign(facts, signer.id, now),
    // Who signs themselves needs nobody to hand it to.
    handOutLink: !signer.isOwn && canHandOutLink(facts, signer.id, now),
    tellAgain: !signer.isOwn && canTellAgain(facts, signer, now),
    correct: canCorrect(facts, signer.id, now),
  };
}
