import { users } from '@lavra/api';
import { normalizeEmail } from '@lavra/domain';
import { callApi } from '../../lib/api-client.ts';

interface Person {
  readonly id: string;
  readonly login: string;
}

const PAGE = 200;

/** Whose e-mail this is. Null: it is blank; undefined: nobody's. Whose it was is not asked for anew. */
export async function findPerson(email: string, known: Person | null): Promise<Person | null | undefined> {
  const login = normalizeEmail(email);
  if (login === '' || login === known?.login) return login === '' ? null : known;
  // Whoever's address it is a part of is found as well, and may stand before.
  for (let page = 0; ; page += 1) {
    const { items } = await callApi(users.search, { query: { query: login, page, size: PAGE, sort: 'email,asc' } });
    const found = items.find((one) => one.login === login);
    if (found || items.length < PAGE) return found;
  }
}
