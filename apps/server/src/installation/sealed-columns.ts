/** A column whose bytes are encrypted with a key derived from the installation secret. */
export interface SealedColumn {
  readonly table: string;
  /** Its primary key, one column. */
  readonly id: string;
  readonly column: string;
  /** As given to `secrets.encrypt`. */
  readonly purpose: string;
  /** What is lost when it cannot be opened: nothing may be, or what is lost already and would be over soon (the column takes null). */
  readonly ifUnreadable: 'refuse' | 'drop';
}

/** All of them: a new secret must open each. A test compares the purposes with those in the source. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'authority', id: 'id', column: 'encrypted_key', purpose: 'authority-key', ifUnreadable: 'refuse' },
  { table: 'signing_attempt', id: 'id', column: 'secret', purpose: 'psc', ifUnreadable: 'drop' },
  { table: 'sso_session', id: 'session_id', column: 'sealed', purpose: 'sso', ifUnreadable: 'drop' },
  { table: 'sign_in_flow', id: 'state_hash', column: 'identity', purpose: 'identity', ifUnreadable: 'drop' },
  { table: 'totp', id: 'user_id', column: 'sealed_secret', purpose: 'totp', ifUnreadable: 'refuse' },
  { table: 'mail', id: 'id', column: 'sealed', purpose: 'mail', ifUnreadable: 'drop' },
];
