/** What the product acknowledged, as its clients noted it: the only truth that the audit believes. */
export interface Ledger {
  /** Uploads that were answered: SHA-256 of what was sent and whose it is, by document id. */
  documents: Map<string, { hash: string; owner: string }>;
  processes: Map<string, ProcessNote>;
  faults: Map<string, number>;
  answers: Answers;
}

export interface ProcessNote {
  id: string;
  documentIds: string[];
  started: boolean;
  canceled: boolean;
  signers: SignerNote[];
  /** The story came to its end: everything that it set out to do was acknowledged. */
  ended: boolean;
}

export interface SignerNote {
  id: string;
  email: string;
  /** Of their link, once its mail has come. */
  key?: string;
  signed: boolean;
  rejected: boolean;
}

export interface Answers {
  requests: number;
  /** 503 with `Retry-After` and a sentence, or 507 while the disk is full. */
  away: number;
  /** Every other 5xx, by `status route code`. */
  wrong: Map<string, number>;
  /** Connections that broke or were refused. */
  cut: number;
}

export function emptyLedger(): Ledger {
  return {
    documents: new Map(),
    processes: new Map(),
    faults: new Map(),
    answers: { requests: 0, away: 0, wrong: new Map(), cut: 0 },
  };
}

export function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
