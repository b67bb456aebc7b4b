import { randomUUID } from 'node:crypto';
import type { Person, RequestFacts } from '../../access/actor.ts';
import type { TestAccount } from '../accounts.ts';

/** Where everybody of the year asks from. */
export const from: RequestFacts = { ip: '203.0.113.20', userAgent: 'year', langKey: 'pt-br' };

/** Somebody who is signed in, as a use case knows them. */
export const personOf = ({ id, email, firstName }: TestAccount, company: Person['company'] = null): Person => ({
  kind: 'person',
  userId: id,
  sessionId: randomUUID(),
  email,
  firstName,
  authorities: ['ROLE_USER'],
  langKey: 'pt-br',
  company,
  from,
});
