import type { Ctx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import type { Locale } from '../../../language/translator.ts';
import { loadProcess } from '../load-process.ts';
import { listOtherNames } from './other-names.ts';
import { type EndKind, endMail } from './process.mail.ts';
import { findUser } from '../processes.store.ts';
import { isNewSender } from './sender-standing.ts';
import { downloadLink } from './signer-link.ts';

const kinds: Record<string, EndKind> = {
  FINALIZED_WITH_SUCCESS: 'finished',
  FINALIZED_BY_REJECTION: 'rejected',
  FINALIZED_BY_EXPIRATION: 'expired',
  CREATOR_CANCELED: 'canceled',
};

interface Recipient {
  email: string;
  name: string;
  locale: Locale;
  link: string | null;
}

/**
 * Tells the end to everyone who has heard of the process: its owner, the invited signers and the interested
 * parties; each address once. Call inside the transaction that ends it.
 */
export async function announceEnd(tx: Ctx, signatureProcessId: string): Promise<void> {
  const { row, signers, stakeholders } = await loadProcess(tx, signatureProcessId);
  const kind = kinds[row.status];
  if (!kind) return;
  const owner = await findUser(tx, row.owner_id);
  const isNew = owner !== undefined && (await isNewSender(tx, owner));
  const rejected = signers.find((signer) => signer.status === 'REJECTED');
  const done = kind === 'finished';
  const otherNames = done ? await listOtherNames(tx, signatureProcessId) : new Map<string, string>();
  const recipients: Recipient[] = [
    ...(owner && kind !== 'canceled'
      ? [
          {
            email: owner.email,
            name: owner.first_name,
            locale: owner.lang_key,
            link: done ? downloadLink(tx, row.id) : `${tx.publicUrl}/signature`,
          },
        ]
      : []),
    ...signers
      .filter((signer) => signer.status !== 'WAITING')
      .map((signer) => ({
        email: signer.email,
        name: signer.name,
        locale: signer.lang_key,
        link: done ? downloadLink(tx, row.id, signer.id) : null,
      })),
    ...stakeholders.map((party) => ({ email: party.email, name: party.name, locale: row.lang_key, link: null })),
  ];
  const told = new Set<string>();
  for (const recipient of recipients) {
    if (told.has(recipient.email)) continue;
    told.add(recipient.email);
    const values = {
      to: recipient.name,
      title: row.title,
      creator: owner?.first_name ?? '',
      name: rejected?.name ?? '',
      cause: rejected?.reject_cause ?? '',
      link: recipient.link,
      fromNewSender: isNew && recipient.email !== owner?.email,
      // For whoever invited them: under which names they signed.
      otherNames:
        recipient.email === owner?.email
          ? signers.flatMap(({ id, name }) => (otherNames.has(id) ? [{ invited: name, name: otherNames.get(id) ?? '' }] : []))
          : [],
    };
    await queueMail(tx, recipient.email, recipient.locale, endMail(tx, recipient.locale, kind, values));
  }
}
