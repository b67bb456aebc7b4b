import type { BoxState, Rect } from '@lavra/domain';
import { useCallback, useEffect, useState } from 'react';

/** A file of the draft; `id` is local until the upload. */
export interface DraftFile {
  id: string;
  name: string;
  file: File;
}

export interface SignerDraft {
  id: string;
  name: string;
  email: string;
  quantity: number;
  /** ISO instant or null. */
  dueDate: string | null;
}

export interface DraftBox {
  state: BoxState;
  /** One-based; null until first placed. */
  page: number | null;
  /** User space of that page. */
  rect: Rect | null;
}

/** All that the creation screens know. Lives in IndexedDB, files included; the history carries only its id. */
export interface ProcessDraft {
  id: string;
  updatedAt: number;
  title: string;
  files: DraftFile[];
  signers: SignerDraft[];
  stakeholders: { name: string; email: string }[];
  hasDeadline: boolean;
  deadline: string | null;
  multiple: boolean;
  individual: boolean;
  hasStakeholders: boolean;
  hasReminder: boolean;
  reminderDays: number;
  modality: 'digital' | 'electronic' | null;
  visible: boolean;
  geolocationOptional: boolean;
  /** By `${signerId}/${fileId}/${repetition}`. */
  boxes: Record<string, DraftBox>;
  /** Which repetition is the signature itself, by `${signerId}/${fileId}`; 0 unless chosen. */
  realSignature: Record<string, number>;
  /** One per creation: a retry after a failure acts once. */
  creationKey: string;
}

const DATABASE = 'lavra';
const STORE = 'drafts';
const LIFETIME_MS = 24 * 3_600_000;

function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openStore();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

const saveDraft = (draft: ProcessDraft) => run('readwrite', (store) => store.put(draft));
const loadDraft = (id: string) => run<ProcessDraft | undefined>('readonly', (store) => store.get(id));

export const deleteDraft = (id: string) => run('readwrite', (store) => store.delete(id));

/** Opens a draft over chosen files and clears out drafts older than a day. */
export async function createDraft(files: readonly File[]): Promise<string> {
  for (const old of await run<ProcessDraft[]>('readonly', (store) => store.getAll())) {
    if (Date.now() - old.updatedAt > LIFETIME_MS) await deleteDraft(old.id);
  }
  const id = crypto.randomUUID();
  await saveDraft({
    id,
    updatedAt: Date.now(),
    title: files[0]?.name.replace(/\.pdf$/i, '') ?? '',
    files: files.map((file) => ({ id: crypto.randomUUID(), name: file.name, file })),
    signers: [],
    stakeholders: [],
    hasDeadline: false,
    deadline: null,
    multiple: false,
    individual: false,
    hasStakeholders: false,
    hasReminder: false,
    reminderDays: 1,
    modality: null,
    visible: false,
    geolocationOptional: false,
    boxes: {},
    realSignature: {},
    creationKey: crypto.randomUUID(),
  });
  return id;
}

/** The draft of an id: `undefined` while it loads, `null` when there is none. Every change is kept at once. */
export function useDraft(id: string | undefined): [ProcessDraft | null | undefined, (change: Partial<ProcessDraft>) => void] {
  const [draft, setDraft] = useState<ProcessDraft | null | undefined>(undefined);
  useEffect(() => {
    let current = true;
    const loading = id === undefined ? Promise.resolve(undefined) : loadDraft(id);
    void loading.then((found) => {
      if (current) setDraft(found ?? null);
    });
    return () => {
      current = false;
    };
  }, [id]);
  const update = useCallback((change: Partial<ProcessDraft>) => {
    setDraft((before) => {
      if (!before) return before;
      const after = { ...before, ...change, updatedAt: Date.now() };
      void saveDraft(after);
      return after;
    });
  }, []);
  return [draft, update];
}
