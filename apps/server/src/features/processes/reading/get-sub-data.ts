import type { getSubDataProcess, Reply } from '@lavra/api';
import { minutesUntilToldAgain } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { abilitiesFor, abilitiesOf } from './abilities.ts';
import { listOtherNames } from '../life/other-names.ts';
import { loadOwnProcess } from './participation.ts';

/** What a row of the list shows when it is opened. */
export async function getSubData(ctx: Ctx, actor: Person, id: string): Promise<Reply<typeof getSubDataProcess>> {
  const loaded = await loadOwnProcess(ctx, actor, id);
  const { signers, documents, stakeholders, isOwner } = loaded;
  const otherNames = isOwner ? await listOtherNames(ctx, id) : new Map<string, string>();
  const facts = { ...loaded, currentIsOwner: isOwner };
  const now = ctx.clock.now();
  return {
    // A draft is nobody's to look at.
    status: loaded.status as Reply<typeof getSubDataProcess>['status'],
    signers: signers.map((signer) => ({
      // What the owner names a signer by; nobody signs by it.
      id: isOwner ? signer.id : null,
      name: signer.name,
      email: signer.email,
      companyIdentifier: signer.cnpj,
      order: signer.order,
      status: signer.status,
      dueDate: signer.dueDate?.toISOString() ?? null,
      finalizedDate: signer.finalizedAt?.toISOString() ?? null,
      rejectCause: signer.rejectCause,
      signedAs: otherNames.get(signer.id) ?? null,
      isCurrentUser: signer.userId === actor.userId,
      legalIdentifier: isOwner ? signer.cpf : null,
      phoneNumber: isOwner ? signer.phoneNumber : null,
      openedDate: isOwner ? (signer.openedAt?.toISOString() ?? null) : null,
      can: abilitiesFor(facts, { ...signer, isOwn: signer.userId === actor.userId }, now),
      tellAgainIn: isOwner ? minutesUntilToldAgain(signer.toldAgainAt, now) : 0,
    })),
    documents: documents.map(({ id: documentId, name, size, pageCount, notices }) => ({
      id: documentId,
      name,
      size,
      pageCount,
      notices: isOwner ? [...notices] : [],
    })),
    stakeholders: [...stakeholders],
    currentIsOwner: isOwner,
    can: abilitiesOf(facts, loaded.own, now),
    reminderIn: loaded.reminderIn,
    filesRemovedDate: loaded.filesRemovedAt?.toISOString() ?? null,
    problem: isOwner ? loaded.problem : null,
    problemParams: isOwner ? { ...loaded.problemParams } : {},
  };
}
