import type { getRequisitionInformation as call, Reply } from '@lavra/api';
import { currentOrder, defaultModels, DomainError, linkOpensDocuments, maskEmail, maskName } from '@lavra/domain';
import type { SignerLink, Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { type LoadedProcess, loadProcess } from '../processes/load-process.ts';
import { findProcessOwner } from '../processes/load-process.ts';
import { consentFor } from './consent.ts';
import { refusalOf } from './refusal.ts';

type Answer = Reply<typeof call>;

/** The signer page's facts. Without a link: title, masked names and status, nothing else. @throws DomainError request.tooMany, process.notFound, signer.notFound */
export async function getRequisitionInformation(ctx: Ctx, actor: SignerLink | Visitor, signatureProcessId: string): Promise<Answer> {
  const signerId = actor.kind === 'signerLink' ? actor.signerId : undefined;
  const loaded = await loadProcess(ctx, signatureProcessId);
  const { row, signers, documents } = loaded;
  if (row.status === 'DRAFT') throw new DomainError('process.notFound');
  const me = signers.find(({ id }) => id === signerId);
  if (signerId !== undefined && !me) throw new DomainError('signer.notFound');
  const owner = await findProcessOwner(ctx, signatureProcessId);
  const documentsWithdrawn = !linkOpensDocuments({ status: row.status, finalizedAt: row.finalized_at }, ctx.clock.now());
  // What the others left here is theirs again.
  const isOpen = me !== undefined && !documentsWithdrawn;
  return {
    title: row.title,
    status: row.status,
    type: row.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    creatorName: owner?.name ?? '',
    dueDate: row.due_date?.toISOString() ?? null,
    geolocation: row.geolocation,
    signers: signers.map((signer) => ({
      order: signer.order,
      name: isOpen || signer === me ? signer.name : maskName(signer.name),
      email: isOpen || signer === me ? signer.email : maskEmail(signer.email),
      phoneNumber: isOpen ? signer.phone_number : null,
      status: signer.status,
      dueDate: signer.due_date?.toISOString() ?? null,
      isCurrent: signer.id === signerId,
    })),
    documentsWithdrawn,
    documents: isOpen
      ? documents.map((document) => ({
          id: document.id,
          name: document.name,
          size: Number(document.size),
          pageCount: document.page_count,
          priorSignatures: document.prior_signatures,
        }))
      : [],
    me: me ? describeMe(ctx, loaded, me) : null,
    consent: consentFor(ctx, me?.lang_key ?? row.lang_key, row.title, row.modality),
  };
}

function describeMe(ctx: Ctx, loaded: LoadedProcess, me: LoadedProcess['signers'][number]): NonNullable<Answer['me']> {
  const reason = refusalOf(loaded.state, me.id, ctx.clock.now());
  const turn = currentOrder(loaded.state.signers);
  const turnOf =
    reason === 'signer.notYourTurn'
      ? (loaded.signers.find((signer) => signer.order === turn && signer.status !== 'SIGNED')?.name ?? null)
      : null;
  const model = me.model ?? defaultModels[loaded.row.modality];
  return {
    id: me.id,
    name: me.name,
    email: me.email,
    status: me.status,
    mayAct: reason === null && loaded.row.prepared_at !== null,
    reason,
    turnOf,
    langKey: me.lang_key,
    box: me.visible ? { width: model.width, height: model.height } : null,
  };
}
