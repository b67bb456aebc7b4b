import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** An app with a shared secret (RFC 6238); a factor once it is confirmed. */
export interface TotpTable {
  user_id: string;
  /** Under the installation secret. */
  sealed_secret: Buffer;
  /** The newest step (30 seconds each since 1970) whose code was taken: neither it nor one before is taken again. */
  last_step: Generated<number>;
  created_at: Instant;
  confirmed_at: NullableInstant;
  last_used_at: NullableInstant;
}

/** A public key of WebAuthn. */
export interface PasskeyTable {
  id: string;
  user_id: string;
  /** Base64url, as browsers write it. */
  credential_id: string;
  /** COSE (RFC 9052). */
  public_key: Buffer;
  /** 0 for ever where it is kept by a service that copies it between devices. */
  sign_count: number;
  transports: string[];
  name: string;
  synced: boolean;
  created_at: Instant;
  last_used_at: NullableInstant;
}

/** Only the SHA-256 of a code is kept: it has 80 random bits. */
export interface BackupCodeTable {
  user_id: string;
  code_hash: string;
  used_at: NullableInstant;
}

/** What somebody has begun and not finished; only the SHA-256 of what they hold is kept. */
export interface FactorChallengeTable {
  token_hash: string;
  purpose: 'signIn' | 'passkeySignIn' | 'proof' | 'addPasskey';
  /** Null: whoever has the passkey says who they are. */
  user_id: string | null;
  /** The browser that it was given to. */
  device_id: string | null;
  remember: Generated<boolean>;
  /** Of a sign-in: what the first step has shown, which the door looks at again after the second. */
  proof: JSONColumnType<object> | null;
  passkey_challenge: string | null;
  failures: Generated<number>;
  expires_at: Instant;
}

/** Whose accounts need a second factor: one row, or none for nobody's. */
export interface SecondFactorPolicyTable {
  one: Generated<boolean>;
  required_of: 'nobody' | 'administrators' | 'everybody';
}

export interface FactorTables {
  totp: TotpTable;
  passkey: PasskeyTable;
  backup_code: BackupCodeTable;
  factor_challenge: FactorChallengeTable;
  second_factor_policy: SecondFactorPolicyTable;
}
