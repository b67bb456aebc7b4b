import { users } from '@lavra/api';
import { callApi } from '../../lib/api-client.ts';

interface Person {
  readonly id: string;
  readonly login: string;
}

/** Whose e-mail this is. Null: it is blank; undefined: nobody's. Whose it was is not asked for anew. */
export async function findPerson(email: string, known: Person | null): Promise<Person | null | undefined> {
  const login = email.trim().toLowerCase();
  if (login === '' || login === known?.login) return login === '' ? null : known;
  const { items } = await callApi(users.search, { query: { query: login, size: 20, sort: 'email,asc' } });
  return items.find((one) => one.login === login);
}
