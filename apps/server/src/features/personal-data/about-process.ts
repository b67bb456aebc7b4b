import { maskEmail, maskName } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { listProcessEvents } from '../processes/life/event-chain.ts';
import type { DataSubject } from '../processes/life/personal-processes.ts';
import { loadProcess } from '../processes/load-process.ts';
import type { listActsOf } from '../signing/personal-evidence.ts';

/**
 * What a process tells of somebody: whole to whoever started it; of what somebody else started, their own part. Of the other people in it
 * the name and address as whoever entered them wrote them, and to everybody else masked.
 */
export async function aboutProcess(ctx: Ctx, subject: DataSubject, id: string, acts: Awaited<ReturnType<typeof listActsOf>>) {
  const [loaded, events] = await Promise.all([loadProcess(ctx, id), listProcessEvents(ctx, id)]);
  const isOwner = loaded.ownerId === subject.id;
  const isNamed = ({ email }: { email: string }) => email === subject.email;
  // As the lists of whose it is have it: who was bound to an account is that account's, whoever has the address today.
  const isOwn = (one: { userId: string | null; email: string }) => (one.userId === null ? isNamed(one) : one.userId === subject.id);
  const signers = loaded.signers.map((signer) => {
    const { name, email, phoneNumber, cpf, cnpj, order, status, dueDate, invitedAt, openedAt, finalizedAt, rejectCause } = signer;
    const state = { order, status, dueDate, finalizedAt };
    if (!isOwn(signer))
      return isOwner ? { name, email, phoneNumber, cpf, cnpj, ...state } : { name: maskName(name), email: maskEmail(email), ...state };
    const own = acts.filter(({ signerId }) => signerId === signer.id).map(({ signerId: _key, ...act }) => act);
    return { isOwn: true, name, email, phoneNumber, cpf, cnpj, ...state, invitedAt, openedAt, rejectCause, acts: own };
  });
  const mine = new Set(loaded.signers.filter(isOwn).map((signer) => signer.id));
  return {
    id,
    startedByThem: isOwner,
    title: loaded.title,
    status: loaded.status,
    modality: loaded.modality,
    createdAt: loaded.createdAt,
    finalizedAt: loaded.finalizedAt,
    dueDate: loaded.dueDate,
    filesRemovedAt: loaded.filesRemovedAt,
    documents: loaded.documents.map((document) => ({ id: document.id, name: document.name, size: document.size, sha256: document.hash })),
    signers,
    stakeholders: loaded.stakeholders.filter((one) => isOwner || isNamed(one)),
    events: events
      .filter(({ signerId }) => isOwner || signerId === null || mine.has(signerId))
      // What an event names beside its moment may be of others, and a signer's id opens their page.
      .map(({ at, type, signerId, data, hash }) => ({ at, type, hash, ...(signerId !== null && mine.has(signerId) ? { data } : {}) })),
  };
}
