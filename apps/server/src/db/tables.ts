import type { Attention } from '@lavra/api';
import type { AccountPermission, CompanyRole } from '@lavra/domain';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { FactorTables } from './factor-tables.ts';
import type { StorageTables } from './storage-tables.ts';
import type { ProcessTables } from './process-tables.ts';

type Instant = ColumnType<Date, Date | string, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export interface AppUserTable {
  id: string;
  login: string;
  email: string;
  first_name: string;
  last_name: Generated<string>;
  /** argon2id; null for social login. */
  password_hash: string | null;
  /** 'password' or the social provider's id. */
  login_type: string;
  lang_key: 'pt-br' | 'en' | 'es';
  /** False while it is deactivated, too. */
  activated: boolean;
  deactivated_at: NullableInstant;
  /** Its person had their data erased: what is left is the id. */
  erased_at: NullableInstant;
  /** Of a deactivated one: what it becomes again. */
  was_activated: boolean | null;
  /** IANA's name. */
  time_zone: Generated<string>;
  authorities: ('ROLE_USER' | 'ROLE_ADMIN')[];
  created_at: Instant;
  version: Generated<number>;
  /** Logins of administrators; null: the account's own holder. */
  created_by: string | null;
  modified_by: string | null;
  modified_at: NullableInstant;
  /** Confirmed by a provider (`cpf_confirmed_by`, its name): eleven digits. */
  cpf: Generated<string | null>;
  cpf_confirmed_by: Generated<string | null>;
  /** How sure that provider is, in its own word. */
  cpf_assurance: Generated<string | null>;
  cpf_confirmed_at: NullableInstant;
}

/** Who an account is at a provider of OpenID Connect. */
export interface AccountIdentityTable {
  id: Generated<string>;
  issuer: string;
  subject: string;
  user_id: string;
  provider: string;
  linked_at: Instant;
  last_used_at: Instant;
  /** Its holder wants it to open the account no more. */
  unbound_at: NullableInstant;
}

/** A sign-in at a provider: single use, bound to the browser. */
export interface SignInFlowTable {
  /** SHA-256, hex. */
  state_hash: string;
  browser_hash: string;
  provider: string;
  remember: boolean;
  created_at: Instant;
  expires_at: Instant;
  used_at: NullableInstant;
  /** Sealed: what the provider said of somebody who has no account yet. */
  identity: Generated<Buffer | null>;
}

/** One-time keys sent by mail; only their SHA-256 is kept. */
export interface AccountKeyTable {
  key_hash: string;
  user_id: string;
  purpose: 'activation' | 'reset' | 'email';
  /** The address to be confirmed, of a change of e-mail. */
  new_email: string | null;
  expires_at: Instant;
  used_at: NullableInstant;
  /** The browser that registered: there an activation key is enough. */
  device_id: string | null;
}

/** A browser that keeps our secret, a MAC over id and generation. */
export interface DeviceTable {
  id: string;
  generation: number;
  rotated_at: Instant;
  created_at: Instant;
  revoked_at: NullableInstant;
}

/** An account signed in with a device before. */
export interface KnownDeviceTable {
  device_id: string;
  user_id: string;
  last_seen_at: Instant;
}

/** One-time keys, printed at the start of an installation without accounts; only their SHA-256 is kept. */
export interface FirstAccountKeyTable {
  key_hash: string;
  created_at: Instant;
}

/** The security log: append-only by triggers, a year long. */
export interface AuditEventTable {
  id: Generated<number>;
  at: Instant;
  kind: string;
  outcome: 'success' | 'failure' | 'refused';
  reason: string | null;
  account_id: string | null;
  /** Process, document or session. */
  subject_id: string | null;
  /** A pseudonym of the client's network that changes every day. */
  source: string | null;
  /** Of a change of administration: the fields, before and after. */
  details: JSONColumnType<Record<string, unknown>> | null;
}

export interface SessionTable {
  id: string;
  user_id: string;
  created_at: Instant;
  expires_at: Instant;
  revoked_at: NullableInstant;
  /** When its token was last renewed; null: not yet. */
  last_used_at: NullableInstant;
  user_agent: string;
  /** Opened by the provider of single sign-on, which vouches for it. */
  single_sign_on: Generated<boolean>;
  /** Where it can be refreshed; null: nowhere. */
  device_id: string | null;
}

/** What the provider of single sign-on said of a session. */
export interface SsoSessionTable {
  session_id: string;
  provider: string;
  subject: string;
  /** The provider's tokens, under the installation secret; null: it cannot be asked again. */
  sealed: Buffer | null;
  permissions: AccountPermission[];
  vouched_until: Instant;
  /** Somebody asks the provider until then; null: nobody does. */
  asked_until: NullableInstant;
}

/** Fixed-window counters of attempts: `rate_limit` is unlogged, a crash may forget it; `account_limit` guards accounts and is kept. */
export interface RateLimitTable {
  bucket: string;
  window_start: Instant;
  count: number;
}

export interface IdempotencyKeyTable {
  /** SHA-256 over caller, call and key. */
  id: string;
  /** SHA-256 of the request: the same key with another request is refused. */
  request_hash: string;
  reply: JSONColumnType<{ body: unknown; status?: number; headers?: Record<string, string> }> | null;
  created_at: Instant;
  /** The mark of the program that is at it; null where nobody can tell whether that lives. */
  held_by: number | null;
}

export interface MailTable {
  id: string;
  to_address: string;
  /** Filled by older versions only; `sealed` is what is sent. */
  subject: Generated<string>;
  html: Generated<string>;
  text: Generated<string>;
  /** Subject, HTML and text under the installation secret; null once it is delivered or given up. */
  sealed: Buffer | null;
  /** The key of the link that it invites to, until it is sent. Older versions say none. */
  of_link: Generated<string | null>;
  created_at: Instant;
  sent_at: NullableInstant;
  failed_at: NullableInstant;
  error: string | null;
}

/** What the outside world answered: checked, and good until `expires_at`. Anyone may lose it. */
export interface OutsideAnswerTable {
  /** SHA-256 over the address and what was sent there, hex. */
  key: string;
  url: string;
  body: Buffer;
  size: number;
  fetched_at: Instant;
  expires_at: Instant;
}

/** Where a list of an authority that we believe was found. */
export interface RevocationListAddressTable {
  /** `revocationListKey`. */
  key: string;
  url: string;
  /** The certificate of the authority, DER. */
  issuer: Buffer;
  /** To a day. */
  seen_at: Instant;
}

/** What others read of a company; its other columns are its store's. */
export interface CompanyTable {
  id: string;
  max_doc_size: number | null;
}

/** The picture of a company, apart from what lists read. */
export interface CompanyLogoTable {
  company_id: string;
  /** SHA-256, hex. */
  hash: string;
  content_type: string;
  image: Buffer;
}

/** An account belongs to one company. */
export interface CompanyMemberTable {
  user_id: string;
  company_id: string;
  role: CompanyRole;
  joined_at: Instant;
}

/** Of who left a company that kept files for some days: for how long what they had sent as its member is kept. */
export interface PastMembershipTable {
  id: Generated<number>;
  user_id: string;
  since: Instant;
  until: Instant;
  days: number;
}

/** An address has one open invitation into a company; of its key only the SHA-256 is kept. */
export interface CompanyInvitationTable {
  id: string;
  company_id: string;
  email: string;
  key_hash: string;
  invited_by: string | null;
  lang_key: 'pt-br' | 'en' | 'es';
  created_at: Instant;
  expires_at: Instant;
  accepted_at: NullableInstant;
  revoked_at: NullableInstant;
}

/** One row: what a start must find as it was left. */
export interface InstallationTable {
  one: Generated<boolean>;
  /** HMAC of a fixed text under the installation secret. */
  secret_check: Buffer;
}

/** One row: the newest instant that this database has seen. */
export interface ClockMarkTable {
  one: Generated<boolean>;
  seen: Instant;
}

/** What a program said last that is slow at it, or that it is short of. */
interface NodeAttentionTable {
  node: string;
  told_at: Date;
  attention: ColumnType<Attention[], string, string>;
}

/** What a part of the program's log was told to say, for all nodes; without a row it is as the start said. */
export interface LoggerLevelTable {
  name: string;
  /** As pino calls it. */
  level: string;
  changed_at: Instant;
}

/** A list of public authorities that was loaded, and the last try that failed since. */
export interface TrustListTable {
  kind: 'icp-brasil';
  /** Grows with each change: what other nodes notice. */
  version: number;
  source: 'upload' | 'address';
  file_hash: string;
  loaded_at: Instant;
  /** The same file was there again. */
  checked_at: Instant;
  /** A code. */
  fault: string | null;
  fault_at: NullableInstant;
}

/** Authorities that reach a pinned root. */
export interface TrustListCertificateTable {
  kind: 'icp-brasil';
  fingerprint: string;
  /** DER. */
  certificate: Buffer;
  /** When a list last had it. */
  listed_at: Instant;
}

/** Ends of certificates that administrators were warned of, once for each number of days before. */
export interface ExpiryWarningTable {
  subject: string;
  ends_at: Instant;
  days: number;
  told_at: Instant;
}

/** An act that a plan counts: a document, a signature, bytes. Its key makes that it counts once. */
export interface ContractUsageTable {
  kind: 'document' | 'digital' | 'electronic' | 'storage';
  /** The document, for its bytes too; or the signature. */
  subject_id: string;
  contract_id: number;
  /** The contract's, when it was counted: what is given back later changes no counter that a save has reset. */
  period: number;
  signature_process_id: string | null;
  amount: number;
  state: 'reserved' | 'used' | 'released';
  created_at: Instant;
  settled_at: NullableInstant;
}

export interface FoundationTables {
  installation: InstallationTable;
  app_user: AppUserTable;
  account_identity: AccountIdentityTable;
  sign_in_flow: SignInFlowTable;
  account_key: AccountKeyTable;
  session: SessionTable;
  sso_session: SsoSessionTable;
  rate_limit: RateLimitTable;
  account_limit: RateLimitTable;
  device: DeviceTable;
  known_device: KnownDeviceTable;
  first_account_key: FirstAccountKeyTable;
  audit_event: AuditEventTable;
  idempotency_key: IdempotencyKeyTable;
  mail: MailTable;
  outside_answer: OutsideAnswerTable;
  revocation_list_address: RevocationListAddressTable;
  clock_mark: ClockMarkTable;
  logger_level: LoggerLevelTable;
  node_attention: NodeAttentionTable;
  trust_list: TrustListTable;
  trust_list_certificate: TrustListCertificateTable;
  expiry_warning: ExpiryWarningTable;
  company: CompanyTable;
  company_logo: CompanyLogoTable;
  company_member: CompanyMemberTable;
  past_membership: PastMembershipTable;
  company_invitation: CompanyInvitationTable;
  contract_usage: ContractUsageTable;
}

export type Database = FoundationTables & FactorTables & ProcessTables & StorageTables;
