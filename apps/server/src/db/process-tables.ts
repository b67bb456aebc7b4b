import type { DocumentNotice, Modality, ProcessStatus, SignatureModel, SignerStatus } from '@lavra/domain';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** Page as inspected at upload; see `PageGeometry` in the domain. */
export interface StoredPage {
  box: [number, number, number, number];
  rotate: 0 | 90 | 180 | 270;
  userUnit: number;
}

export interface DocumentTable {
  /** UUIDv4: the document identifier printed on the signature page; a key to an open page, never sequential. */
  id: string;
  owner_id: string;
  /** Null until a process takes the document; abandoned ones are swept after 24 h. */
  signature_process_id: string | null;
  /** Zero-based position in the process; null while unassigned. */
  position: number | null;
  name: string;
  /** SHA-256 of the uploaded bytes, hex; the blob's key. */
  hash: string;
  size: number;
  /** SHA-256 of the file with a password that its owner opened it from, as their browser told; null: it came as it is. */
  opened_from: string | null;
  page_count: number;
  pages: JSONColumnType<StoredPage[]>;
  prior_signatures: Generated<number>;
  /** What its preparation does to it, for its owner. */
  notices: ColumnType<DocumentNotice[], string | undefined, never>;
  /** The preparation appended no signature page: signatures that were there forbid it. */
  page_apart: Generated<boolean>;
  /** Blob of the sealed signature page of a document that came with signatures, once its process has finished. */
  signature_page_hash: ColumnType<string | null, never, string | null>;
  signature_page_size: ColumnType<number | null, never, number | null>;
  /** Blob of the sealed copy to print, once somebody asked for it. */
  printable_copy_hash: ColumnType<string | null, never, string | null>;
  printable_copy_size: ColumnType<number | null, never, number | null>;
  /** Its bytes are kept no longer; `removed_file` says what they were. */
  files_removed_at: ColumnType<Date | null, never, Date>;
  created_at: Instant;
}

/** A part of a document, its signature page or its copy to print, that is kept no longer: what it was. */
export interface RemovedFileTable {
  document_id: string;
  seq: number;
  kind: RevisionKind | 'page' | 'copy';
  blob_hash: string;
  size: number;
  file_hash: string | null;
  removed_at: Instant;
}

export type RevisionKind = 'upload' | 'preparation' | 'signature' | 'seal' | 'extension';

/**
 * A document is the concatenation of its revisions' blobs in `seq` order (append-only): the uploaded
 * bytes are an exact prefix of every later state by construction. Unique (document_id, seq) is what
 * keeps two signers from building on the same state.
 */
export interface DocumentRevisionTable {
  document_id: string;
  seq: number;
  kind: RevisionKind;
  signer_id: string | null;
  /** SHA-256 of this part alone, hex; the blob's key. */
  blob_hash: string;
  /** Bytes of this part. */
  size: number;
  /** Where this part begins in the whole. */
  offset: number;
  /** SHA-256 of the whole file up to and including this part, hex; null where it was not computed (intermediate parts). */
  file_hash: string | null;
  created_at: Instant;
}

export interface SignatureProcessTable {
  id: string;
  owner_id: string;
  title: string;
  status: ProcessStatus;
  modality: Modality;
  due_date: NullableInstant;
  /** Days, or null. */
  reminder_in: number | null;
  geolocation: 'required' | 'optional';
  lang_key: 'pt-br' | 'en' | 'es';
  /** Its interested parties hear of its success. */
  tell_stakeholders: Generated<boolean>;
  created_by_front: Generated<boolean>;
  /** The client closes the creation sequence itself: the draft never starts by itself. */
  awaits_start: Generated<boolean>;
  created_at: Instant;
  started_at: NullableInstant;
  /** How many people its start called, counted by the database. Null: a draft, or started before that was counted. */
  called: ColumnType<number | null, never, never>;
  /** Preparation revision written and first invitations queued. */
  prepared_at: NullableInstant;
  finalized_at: NullableInstant;
  /** Sealed, extended, evidence report written. */
  sealed_at: NullableInstant;
  /** Last write of the creation sequence: a draft left open starts by itself 60 s after it, unless it awaits its start. */
  touched_at: Instant;
  /** Error code of a job that is stuck on this process, for the owner and the administrator. */
  problem: string | null;
  /** Values of that code's sentence, e.g. the document's name. */
  problem_params: JSONColumnType<Record<string, string | number>> | null;
  /** Blob of the sealed evidence report PDF, once finished. */
  evidence_report_hash: string | null;
  evidence_report_size: number | null;
  /** When its people were told that its files go. */
  files_warned_at: NullableInstant;
  files_removed_at: NullableInstant;
}

export interface SignerTable {
  /** UUIDv4; what opens their page is `SignerLinkTable.key`. */
  id: string;
  signature_process_id: string;
  /** The account that was invited; null: none that has shown this address to be theirs. Once set it stays. */
  user_id: Generated<string | null>;
  name: string;
  email: string;
  phone_number: string | null;
  /** CPF the creator registered for this signer, digits, or null. */
  legal_identifier: string | null;
  /** CNPJ of the company that the creator registered them for, or null. */
  company_identifier: Generated<string | null>;
  order: number;
  status: SignerStatus;
  quantity: Generated<number>;
  visible: boolean;
  /** The model it was, while that is there; `model` is what counts. */
  model_id: string | null;
  /** The model as it was when the signer was added; null: the default. */
  model: ColumnType<SignatureModel | null, string | null, never>;
  due_date: NullableInstant;
  lang_key: 'pt-br' | 'en' | 'es';
  created_at: Instant;
  invited_at: NullableInstant;
  opened_at: NullableInstant;
  finalized_at: NullableInstant;
  reject_cause: string | null;
  reminders_sent: Generated<number>;
  /** When the sender last had them written to again. */
  told_again_at: NullableInstant;
  /** When they asked to be forgotten, while their process needs something of them. */
  erasure_asked_at: NullableInstant;
}

/** What opens a signer's page; a trigger makes the first one with the signer. */
export interface SignerLinkTable {
  /** A capability: whoever holds it sees the documents and acts, with `handedOver` only after the code. */
  key: string;
  signer_id: string;
  channel: 'mailed' | 'handedOver' | 'confirmed';
  /** Another one took its place. */
  ended_at: NullableInstant;
  /** Of the code that was mailed for it, SHA-256, hex; null: none, or used. */
  code_hash: ColumnType<string | null, string | null | undefined, string | null>;
  code_until: NullableInstant;
  code_tries: Generated<number>;
}

/** A drawing that a computer waits for while it is made on a telephone. */
export interface AwaitedDrawingTable {
  id: string;
  /** SHA-256 (hex) of the key in the QR code. */
  key_hash: string;
  signer_id: string;
  until: Date;
  /** PNG; null until it was delivered, which it is once. */
  picture: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
}

/** Appearance templates, each of one person; see `SignatureModel` in the domain. */
export interface SignatureModelTable {
  id: string;
  owner_id: string;
  name: string;
  /** The name in lower case; no owner has one twice. */
  name_key: string;
  width: number;
  height: number;
  image_position: SignatureModel['imagePosition'];
  custom_text: string;
  text_font: SignatureModel['textFont'];
  text_font_size: number;
  text_padding: number;
  text_alignment: SignatureModel['textAlignment'];
  created_at: Instant;
}

/** Rows of `Placement` (domain): points in the page's user space, lower-left corner. */
export interface PlacementTable {
  id: string;
  signer_id: string;
  document_id: string;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  real_signature: boolean;
  /** Name of the form field made for it in the preparation; null before. */
  field_name: string | null;
}

export interface StakeholderTable {
  id: string;
  signature_process_id: string;
  name: string;
  email: string;
  /** As `SignerTable.erasure_asked_at`. */
  erasure_asked_at: NullableInstant;
}

/** The specification's Signature entity: one per signer and document. */
export interface SignatureTable {
  id: string;
  signer_id: string;
  document_id: string;
  signature_process_id: string;
  status: 'SENT' | 'SIGNED' | 'REJECTED';
  reject_cause: string | null;
  /** Fully qualified name of the signature field in the PDF. */
  field_name: string | null;
  created_at: Instant;
  finalized_at: NullableInstant;
}

export type AttemptState = 'authorizing' | 'signing' | 'signed' | 'failed' | 'expired';

/** One try of one signer to sign all documents; what the status poll reads. An attempt is not the signer's status. */
export interface SigningAttemptTable {
  id: string;
  signer_id: string;
  signature_process_id: string;
  kind: 'electronic' | 'cloud' | 'local';
  state: AttemptState;
  /** Error code or step. */
  reason: string | null;
  /** Values of that code's sentence. */
  reason_params: ColumnType<Record<string, string | number> | null, string | null | undefined, string | null>;
  /** `authorizing`: until when the person, or the key on their computer, is waited for; `signing` in a cloud: until when its token lives. */
  expires_at: NullableInstant;
  /** Cloud provider. */
  psc: string | null;
  /** SHA-256 (hex) of OAuth's `state`. */
  state_hash: string | null;
  /** SHA-256 (hex) of the secret of the browser that asked. */
  browser_hash: string | null;
  /** Pending authorisation, then token; encrypted; null once the attempt is closed. */
  secret: Buffer | null;
  created_at: Instant;
  updated_at: Instant;
}

/** A document's signature between its two steps; rows go when the attempt closes. */
export interface PreparedSignatureTable {
  attempt_id: string;
  document_id: string;
  /** The revision it will be. */
  seq: number;
  /** The engine's `PreparedSignature` as JSON. */
  prepared: Buffer;
  /** The signature value, as soon as somebody gave it. */
  value: Buffer | null;
}

/** Who may prepare and complete revisions of a digital process's documents, until when. */
export interface SigningLeaseTable {
  signature_process_id: string;
  attempt_id: string;
  expires_at: Instant;
}

export interface SignatureEvidenceTable {
  id: string;
  signer_id: string;
  attempt_id: string;
  name: string;
  /** Eleven digits. */
  cpf: string;
  ip: string;
  /** Client's own look-up, extra evidence only. */
  client_ip: string | null;
  user_agent: string;
  latitude: number | null;
  longitude: number | null;
  /** Metres. */
  accuracy: number | null;
  /** Null: the stamp is a model without a picture. */
  image_hash: string | null;
  image_content_type: string | null;
  /** SHA-256 of a picture that is kept no longer. */
  removed_image_hash: Generated<string | null>;
  signature_style: string;
  /** Both null: the act came without a word of the consent. */
  consent_text: string | null;
  consent_hash: string | null;
  /** SHA-256 of the signer's certificate, once signed. */
  certificate_fingerprint: string | null;
  /** Digital: the signer's own certificate, DER. */
  certificate: Buffer | null;
  /** Digital: the signature policy, dotted; null for what was signed before it was written down (AD-RB). */
  policy: Generated<string | null>;
  /** The provider whose word it is that this CPF is the signer's own; null: it is what the signer says. */
  cpf_confirmed_by: Generated<string | null>;
  cpf_assurance: Generated<string | null>;
  cpf_confirmed_at: NullableInstant;
  /** Which way the link had come that was signed through. */
  channel: Generated<'mailed' | 'confirmed'>;
  created_at: Instant;
}

/** Append-only and hash-chained per process: hash = SHA-256(previous hash, canonical JSON of the rest). Database triggers refuse update and delete. */
export interface EventTable {
  signature_process_id: string;
  seq: number;
  at: Instant;
  type: string;
  signer_id: string | null;
  data: JSONColumnType<Record<string, unknown>>;
  previous_hash: string;
  hash: string;
}

/** What a person's lists show of a process; kept by triggers (docs/decisions/044). */
export interface ListedProcessTable {
  user_id: string;
  signature_process_id: string;
  /** Bits: 1 they requested it, 2 they received it, 4 it waits for them. */
  sets: number;
  status: ProcessStatus;
  title: string;
  created_at: Instant;
  due_date: NullableInstant;
  finalized_at: NullableInstant;
  /** Title, names of files, names and e-mails of signers, without accents and case. */
  search: string;
}

/** Differences to be added up; kept by triggers. */
export interface ProcessCountTable {
  user_id: string;
  /** The sets of listed processes, or 0: signatures made in what they requested. */
  counted: number;
  amount: number;
  folded: Generated<boolean>;
}

/** Keys and certificates of the installation's own authority; private keys encrypted with the installation secret. */
export interface AuthorityTable {
  /** 'root' | 'issuer' | 'seal' */
  id: string;
  certificate: Buffer;
  encrypted_key: Buffer;
  created_at: Instant;
}

export interface IssuedCertificateTable {
  /** Hex. */
  serial: string;
  issuer_id: string;
  subject: string;
  certificate: Buffer;
  signer_id: string | null;
  not_before: Instant;
  not_after: Instant;
  revoked_at: NullableInstant;
}

export interface ProcessTables {
  document: DocumentTable;
  document_revision: DocumentRevisionTable;
  removed_file: RemovedFileTable;
  signature_process: SignatureProcessTable;
  signer: SignerTable;
  signer_link: SignerLinkTable;
  awaited_drawing: AwaitedDrawingTable;
  signature_model: SignatureModelTable;
  placement: PlacementTable;
  stakeholder: StakeholderTable;
  signature: SignatureTable;
  signing_attempt: SigningAttemptTable;
  signature_evidence: SignatureEvidenceTable;
  prepared_signature: PreparedSignatureTable;
  signing_lease: SigningLeaseTable;
  event: EventTable;
  listed_process: ListedProcessTable;
  process_count: ProcessCountTable;
  authority: AuthorityTable;
  issued_certificate: IssuedCertificateTable;
}
