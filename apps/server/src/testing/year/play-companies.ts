import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { createRecord } from '../../entities/records.ts';
import { acceptInvitation } from '../../features/companies/accept-invitation.ts';
import { companyRoom } from '../../features/companies/company-room.ts';
import { invitePeople } from '../../features/companies/invite-people.ts';
import { patchCompany } from '../../features/companies/patch-company.ts';
import { removeMember } from '../../features/companies/remove-member.ts';
import type { TestAccount } from '../accounts.ts';
import type { TestApp } from '../app.ts';
import { personOf } from './person-of.ts';
import type { Random } from './random.ts';

/** From `at` on an account's files are kept for `days` after the end of what was created since it belongs there; null: for ever. */
export interface Kept {
  ownerId: string;
  at: Date;
  since: Date;
  days: number | null;
}

interface Home {
  companyId: string;
  role: 'admin' | 'member';
  since: Date;
}

/** Companies that are founded, joined, left and change their minds, and what that means for whose files, as the play knows it. */
export interface Companies {
  /** Perhaps one of them does something. */
  live(drain: () => Promise<void>): Promise<void>;
  readonly kept: readonly Kept[];
}

const DAYS = [null, 30, 45, 90] as const;

/** Of `people`, none of whom belongs to a company yet. */
export function playCompanies(app: TestApp, random: Random, people: readonly TestAccount[]): Companies {
  const { ctx, clock } = app;
  const homes = new Map<string, Home>();
  const daysOf = new Map<string, number | null>();
  const kept: Kept[] = [];
  const actor = (person: TestAccount): Person => {
    const home = homes.get(person.id);
    return personOf(person, home ? { id: home.companyId, role: home.role, maxDocSize: null } : null);
  };
  const note = (ownerId: string) => {
    const home = homes.get(ownerId);
    kept.push({ ownerId, at: clock.now(), since: home?.since ?? clock.now(), days: home ? (daysOf.get(home.companyId) ?? null) : null });
  };
  const enter = (person: TestAccount, companyId: string, role: Home['role']) => {
    homes.set(person.id, { companyId, role, since: clock.now() });
    note(person.id);
  };
  const found = async (person: TestAccount) => {
    const days = random.pick(DAYS);
    const { id } = await createRecord(ctx, actor(person), companyRoom, { name: `Empresa ${daysOf.size}`, maxTime: days } as never);
    daysOf.set(id, days);
    enter(person, id, 'admin');
  };
  const invite = async (person: TestAccount, guest: TestAccount, drain: () => Promise<void>) => {
    await invitePeople(ctx, actor(person), { emails: [guest.email], companyId: undefined });
    await drain();
    const { id, key } = await invitationFor(app, guest.email);
    clock.advance({ seconds: 5 });
    const joined = await acceptInvitation(ctx, actor(guest), { id, key });
    enter(guest, joined.id, 'member');
  };
  const change = async (person: TestAccount, companyId: string) => {
    const days = random.pick(DAYS);
    await patchCompany(ctx, actor(person), { id: companyId, maxTime: days });
    daysOf.set(companyId, days);
    for (const [ownerId, home] of homes) if (home.companyId === companyId) note(ownerId);
  };
  const leave = async (person: TestAccount, companyId: string) => {
    await removeMember(ctx, actor(person), { companyId, userId: person.id });
    homes.delete(person.id);
    note(person.id);
  };
  return {
    kept,
    async live(drain) {
      if (!random.chance(0.15)) return;
      clock.advance({ seconds: 3 });
      const person = random.pick(people);
      const home = homes.get(person.id);
      const guests = people.filter(({ id }) => !homes.has(id));
      if (!home) return found(person);
      if (home.role === 'admin' && guests.length > 0 && random.chance(0.4)) return invite(person, random.pick(guests), drain);
      if (home.role === 'admin' && random.chance(0.7)) return change(person, home.companyId);
      return leave(person, home.companyId).catch((error: unknown) => {
        // Somebody has to administer it as long as others belong to it.
        if (!(error instanceof DomainError && error.code === 'company.lastAdministrator')) throw error;
      });
    },
  };
}

/** The newest that was mailed to an address. */
async function invitationFor(app: TestApp, email: string): Promise<{ id: string; key: string }> {
  const mails = await app.mailbox.list();
  const mail = mails.find(({ to, text }) => to === email && text.includes('/accept_invite/'));
  const [, id = '', key = ''] = /\/accept_invite\/([\w-]+)\?user=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  return { id, key };
}
