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
  failed: FailedAnswer[];
  /** What should not have happened besides, each with how often. */
  wrong: Map<string, number>;
}

/** A request that was answered with 5xx or not at all. */
export interface FailedAnswer {
  /** `GET api/account`, without ids. */
  what: string;
  /** 0: the connection broke, was refused, or stayed silent. */
  status: number;
  code: string;
  /** It was said when to come again. */
  saidWhen: boolean;
  /** Of `performance.now()`. */
  begun: number;
  ended: number;
  /** Where a proxy that says so had sent it, the last one last: `127.0.0.1:8080`. */
  by: string;
}

/** 503 with `Retry-After` and a sentence, or 507 while the disk is full. */
export const isAway = ({ status, code, saidWhen }: FailedAnswer): boolean =>
  (status === 503 && saidWhen) || (status === 507 && code === 'storage.full');

/** Every other 5xx, and what else was noted; a connection that broke is nobody's answer. */
export function wrongAnswers({ failed, wrong }: Answers): string[] {
  const counts = new Map(wrong);
  for (const one of failed) if (one.status > 0 && !isAway(one)) countUp(counts, `${one.status} ${one.what} ${one.code}`);
  return [...counts].map(([what, count]) => `${count} × ${what}`);
}

export function emptyLedger(): Ledger {
  return {
    documents: new Map(),
    processes: new Map(),
    faults: new Map(),
    answers: { requests: 0, failed: [], wrong: new Map() },
  };
}

export function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
