import { fullName, signersWhoEnded } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { type KeptMails, type QueuedMail, sendKept, tellByMail } from '../../../mail/send-mail.job.ts';
import type { Locale } from '../../../language/translator.ts';
import type { AccountFacts } from '../../accounts/find-account.ts';
import { brandOf } from '../../companies/find-brand.ts';
import { loadTold, type ToldProcess } from '../load-process.ts';
import type { LoadedProcess } from '../signature-process.ts';
import { otherNamesIn } from './other-names.ts';
import { type EndKind, endMail } from './process.mail.ts';
import { isNewSender } from './sender-standing.ts';
import { downloadLink, processLink } from './signer-link.ts';

const kinds: Record<string, EndKind> = {
  FINALIZED_WITH_SUCCESS: 'finished',
  FINALIZED_BY_REJECTION: 'rejected',
  FINALIZED_BY_EXPIRATION: 'expired',
  CREATOR_CANCELED: 'canceled',
};

interface Recipient {
  as: 'owner' | 'signer' | 'interested';
  email: string;
  name: string;
  locale: Locale;
  link: string | null;
}

/**
 * Tells the end to everyone who has heard of the process: its owner, the invited signers and, of success, the interested parties;
 * each address once, however often it runs.
 */
export const announceEndJob = defineJob<{ signatureProcessId: string }, KeptMails>({
  name: 'announce-end',
  // Days: nobody else would ever tell them.
  retryLimit: 500,
  async run(ctx, { signatureProcessId }, end, handed) {
    if (handed) return sendKept(ctx, handed, end);
    await tellByMail(ctx, await announcementsOf(ctx, await loadTold(ctx, signatureProcessId)), end);
  },
});

/** What it writes to them. */
export async function announcementsOf(ctx: Ctx, { loaded, keys, signed }: ToldProcess): Promise<QueuedMail[]> {
  const kind = kinds[loaded.status];
  if (!kind) return [];
  const { sender: owner, senderCompany } = loaded;
  const isNew = owner === null || (await isNewSender(ctx, owner));
  const sender = { name: owner ? fullName(owner) : '', email: owner?.email ?? '', isNew };
  const otherNames = kind === 'finished' ? otherNamesIn(signed) : new Map<string, string>();
  const brand = senderCompany && !isNew ? await brandOf(ctx, senderCompany.id) : undefined;
  const enders = signersWhoEnded(loaded);
  return recipientsOf(ctx, loaded, kind, owner, keys).map((recipient): QueuedMail => {
    const values = {
      to: recipient.name,
      title: loaded.title,
      as: recipient.as,
      sender,
      name: enders.map(({ name }) => name).join(', '),
      isOwn: recipient.as === 'signer' && enders.some(({ email }) => email === recipient.email),
      cause: enders[0]?.rejectCause ?? '',
      link: recipient.link,
      // For whoever invited them: under which names they signed.
      otherNames: recipient.as === 'owner' ? loaded.signers.flatMap(({ id, name }) => toldAs(name, otherNames.get(id))) : [],
    };
    const { email: to, locale } = recipient;
    return { to, locale, content: { ...endMail(ctx, locale, kind, values), brand }, once: `end ${loaded.id} ${to}` };
  });
}

const toldAs = (invited: string, name: string | undefined) => (name === undefined ? [] : [{ invited, name }]);

/** Each address once: whoever is more than one of these hears as the first. */
function recipientsOf(
  ctx: Ctx,
  loaded: LoadedProcess,
  kind: EndKind,
  owner: AccountFacts | null,
  keys: ReadonlyMap<string, string>,
): readonly Recipient[] {
  const done = kind === 'finished';
  const recipients: Recipient[] = [];
  if (owner && kind !== 'canceled') {
    const link = done ? downloadLink(ctx, loaded.id) : processLink(ctx, loaded.id);
    recipients.push({ as: 'owner', email: owner.email, name: owner.firstName, locale: owner.langKey, link });
  }
  for (const { id, email, name, langKey, status } of loaded.signers)
    if (status !== 'WAITING')
      recipients.push({ as: 'signer', email, name, locale: langKey, link: done ? downloadLink(ctx, loaded.id, keys.get(id)) : null });
  // Interested parties hear of success alone, where the sender wants it: why somebody refused is not theirs to know.
  for (const { email, name } of done && loaded.tellStakeholders ? loaded.stakeholders : [])
    recipients.push({ as: 'interested', email, name, locale: loaded.langKey, link: null });
  return [...new Map(recipients.toReversed().map((recipient) => [recipient.email, recipient])).values()].toReversed();
}
