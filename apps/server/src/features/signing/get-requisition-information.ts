import type { getRequisitionInformation as call, Reply } from '@lavra/api';
import {
  currentOrder,
  DomainError,
  linkOpensDocuments,
  maskEmail,
  maskName,
  modelInWords,
  refusalToAct,
  signersWhoEnded,
} from '@lavra/domain';
import type { SignerLink, Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { ownerOf, listProcessPlacements, loadProcess } from '../processes/load-process.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { consentFor } from './consent.ts';

type Answer = Reply<typeof call>;

/** The signer page's facts. Without a link: title, masked names and status, nothing else. @throws DomainError request.tooMany, process.notFound, signer.notFound */
export async function getRequisitionInformation(ctx: Ctx, actor: SignerLink | Visitor, signatureProcessId: string): Promise<Answer> {
  const signerId = actor.kind === 'signerLink' ? actor.signerId : undefined;
  const loaded = await loadProcess(ctx, signatureProcessId);
  const { status, title, modality, signers, documents } = loaded;
  if (status === 'DRAFT') throw new DomainError('process.notFound');
  const holder = signers.find(({ id }) => id === signerId);
  if (signerId !== undefined && !holder) throw new DomainError('signer.notFound');
  // Until the code is given, whoever has it from the sender sees what anybody does.
  const isBeforeCode = actor.kind === 'signerLink' && actor.channel === 'handedOver';
  const me = isBeforeCode ? undefined : holder;
  const owner = ownerOf(loaded);
  const documentsWithdrawn = !linkOpensDocuments(loaded, ctx.clock.now());
  // What the others left here is theirs again.
  const isOpen = me !== undefined && !documentsWithdrawn;
  return {
    title,
    status,
    type: modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    creatorName: owner?.name ?? '',
    dueDate: loaded.dueDate?.toISOString() ?? null,
    geolocation: loaded.geolocation,
    ipLookupUrls: isOpen ? [...ctx.config.ipLookupUrls] : [],
    signers: signers.map((signer) => ({
      order: signer.order,
      name: isOpen || signer === me ? signer.name : maskName(signer.name),
      email: signer === me ? signer.email : maskEmail(signer.email),
      phoneNumber: isOpen ? signer.phoneNumber : null,
      companyIdentifier: isOpen || signer === me ? signer.cnpj : null,
      status: signer.status,
      dueDate: signer.dueDate?.toISOString() ?? null,
      isCurrent: signer === me,
    })),
    endedAt: loaded.finalizedAt?.toISOString() ?? null,
    endedBy: endedBy(loaded, owner?.name ?? '', isOpen),
    code: isBeforeCode && holder ? { email: maskEmail(holder.email), langKey: holder.langKey } : null,
    documentsWithdrawn,
    filesRemovedDate: loaded.filesRemovedAt?.toISOString() ?? null,
    documents:
      isOpen && loaded.filesRemovedAt === null
        ? documents.map((document) => ({
            id: document.id,
            name: document.name,
            size: document.size,
            pageCount: document.pageCount,
            priorSignatures: document.priorSignatures,
          }))
        : [],
    me: me && actor.kind === 'signerLink' ? await describeMe(ctx, loaded, me, actor.key) : null,
    consent: consentFor(ctx, me?.langKey ?? loaded.langKey, title, modality),
  };
}

/** Through whom it ended, as this page may name them. */
function endedBy(loaded: LoadedProcess, creator: string, isOpen: boolean): string | null {
  if (loaded.status === 'CREATOR_CANCELED') return creator;
  const names = signersWhoEnded(loaded).map(({ name }) => (isOpen ? name : maskName(name)));
  return names.length === 0 ? null : names.join(', ');
}

async function describeMe(
  ctx: Ctx,
  loaded: LoadedProcess,
  me: LoadedProcess['signers'][number],
  key: string,
): Promise<NonNullable<Answer['me']>> {
  const reason = refusalToAct(loaded, me.id, ctx.clock.now());
  const turn = currentOrder(loaded.signers);
  const turnOf =
    reason === 'signer.notYourTurn'
      ? (loaded.signers.find((signer) => signer.order === turn && signer.status !== 'SIGNED')?.name ?? null)
      : null;
  const model = me.model ?? modelInWords(loaded.modality, ctx.translate(loaded.langKey, `stamp.${loaded.modality}`));
  const boxes = me.visible ? (await listProcessPlacements(ctx, loaded)).filter(({ signerId }) => signerId === me.id) : [];
  return {
    id: key,
    name: me.name,
    email: me.email,
    status: me.status,
    signedDate: me.status === 'SIGNED' ? (me.finalizedAt?.toISOString() ?? null) : null,
    can: { sign: reason === null && loaded.preparedAt !== null },
    reason,
    turnOf,
    langKey: me.langKey,
    box: me.visible ? { width: model.width, height: model.height } : null,
    places: boxes.map(({ documentId, page, x, y, width, height }) => ({ documentId, page, rect: { x, y, width, height } })),
    model,
  };
}
