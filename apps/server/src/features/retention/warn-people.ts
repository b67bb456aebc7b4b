import { filesRemovalAt, fullName, warnedIfEndedBefore } from '@lavra/domain';
import { mailedKeys } from '../../access/signer-links.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import type { Locale } from '../../language/translator.ts';
import type { MailReason } from '../../mail/layout.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { findAccount } from '../accounts/find-account.ts';
import { findBrand } from '../companies/find-brand.ts';
import { loadProcess } from '../processes/load-process.ts';
import { type KeptBound, takeUnwarned } from '../processes/life/kept-files.ts';
import { isNewSender } from '../processes/life/sender-standing.ts';
import { downloadLink } from '../processes/life/signer-link.ts';
import { type GoingProcess, retentionMail } from './retention.mail.ts';

const AT_ONCE = 100;

interface Told {
  email: string;
  name: string;
  locale: Locale;
  going: (GoingProcess & { link: string })[];
}

/**
 * Tells whoever made a process, and whoever has its signed files to download, that the files go in a week: one mail a person for all that
 * are found at once. Each process is told of once, however often this runs.
 */
export async function warnPeople(ctx: Ctx, bound: KeptBound): Promise<void> {
  const endedBefore = warnedIfEndedBefore(bound.days, ctx.clock.now());
  for (let found = AT_ONCE; found === AT_ONCE;)
    found = await ctx.transaction(async (tx) => {
      const ids = await takeUnwarned(tx, bound, endedBefore, AT_ONCE);
      if (ids.length > 0) await tell(tx, bound, ids);
      return ids.length;
    });
}

async function tell(tx: Tx, bound: KeptBound, ids: readonly string[]): Promise<void> {
  const people = new Map<string, Told>();
  const add = ({ going, ...person }: Omit<Told, 'going'> & { going: Told['going'][number] }) => {
    const told = people.get(person.email) ?? { ...person, going: [] };
    if (!told.going.some(({ id }) => id === going.id)) told.going.push(going);
    people.set(person.email, told);
  };
  const owner = await findAccount(tx, bound.ownerId);
  for (const id of ids) {
    const { title, signers, status, finalizedAt } = await loadProcess(tx, id);
    if (finalizedAt === null) continue;
    const going = { id, title, at: filesRemovalAt({ finalizedAt, warnedAt: tx.clock.now() }, bound.days) };
    if (owner) add({ email: owner.email, name: owner.firstName, locale: owner.langKey, going: { ...going, link: downloadLink(tx, id) } });
    if (status !== 'FINALIZED_WITH_SUCCESS') continue;
    const keys = await mailedKeys(
      tx,
      signers.map((signer) => signer.id),
    );
    for (const signer of signers) {
      const link = downloadLink(tx, id, keys.get(signer.id));
      add({ email: signer.email, name: signer.name, locale: signer.langKey, going: { ...going, link } });
    }
  }
  const brand = await findBrand(tx, bound.ownerId);
  const sender = owner && { name: fullName(owner), email: owner.email, isNew: await isNewSender(tx, owner) };
  for (const { email, name, locale, going } of people.values()) {
    const [only] = going;
    const link = going.length === 1 && only ? only.link : `${tx.publicUrl}/signature`;
    // Of an account that was erased there is nobody left to name.
    const why: MailReason = sender === null ? 'process' : email === sender.email ? 'owner' : { as: 'signer', sender };
    await queueMail(tx, email, locale, { ...retentionMail(tx, locale, { name, going, link, why }), brand });
  }
}
