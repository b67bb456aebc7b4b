import { privateDatabase } from '../../../lib/private-data.ts';
import type { DraftFile, ProcessDraft } from './process-draft.ts';

/** The draft without the bytes of its files, which are kept once and not again with every change. */
type StoredDraft = Omit<ProcessDraft, 'files'> & { files: Omit<DraftFile, 'file'>[] };
interface StoredFile {
  id: string;
  file: File;
}

const DRAFTS = 'drafts';
const FILES = 'files';

function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(privateDatabase, 2);
    request.onupgradeneeded = () => {
      for (const name of Array.from(request.result.objectStoreNames)) request.result.deleteObjectStore(name);
      for (const name of [DRAFTS, FILES]) request.result.createObjectStore(name, { keyPath: 'id' });
    };
    request.onsuccess = () => {
      // Signing out deletes the database; an open connection must not stand in its way.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

async function run<T>(mode: IDBTransactionMode, act: (drafts: IDBObjectStore, files: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openStore();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction([DRAFTS, FILES], mode);
      const request = act(transaction.objectStore(DRAFTS), transaction.objectStore(FILES));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Keeps the draft and those of its files that are not in `keptFiles` yet. */
export async function storeDraft(draft: ProcessDraft, keptFiles: ReadonlySet<string>): Promise<void> {
  await run('readwrite', (drafts, files) => {
    for (const { id, file } of draft.files) if (!keptFiles.has(id)) files.put({ id, file } satisfies StoredFile);
    return drafts.put({ ...draft, files: draft.files.map(({ file: _file, ...kept }) => kept) } satisfies StoredDraft);
  });
}

/** The draft with its files; null when there is none, or when a file of it is lost. */
export async function readDraft(id: string): Promise<ProcessDraft | null> {
  const stored = await run<StoredDraft | undefined>('readonly', (drafts) => drafts.get(id));
  if (!stored) return null;
  const files: DraftFile[] = [];
  for (const kept of stored.files) {
    const found = await run<StoredFile | undefined>('readonly', (_, store) => store.get(kept.id));
    if (!found) return null;
    files.push({ ...kept, file: found.file });
  }
  // A draft from before there were models to choose has none; nor had its signers companies that they sign for, or a telephone.
  const signers = stored.signers.map((signer) => ({ ...signer, cnpj: signer.cnpj ?? null, phoneNumber: signer.phoneNumber ?? null }));
  const { tellStakeholders = true } = stored as Partial<StoredDraft>;
  return { ...stored, signers, tellStakeholders, modelId: stored.modelId ?? null, everyPage: stored.everyPage ?? {}, files };
}

/** The drafts that were changed since an instant, without their files' bytes. */
export async function readDrafts(since: number): Promise<StoredDraft[]> {
  const all = await run<StoredDraft[]>('readonly', (drafts) => drafts.getAll());
  return all.filter(({ updatedAt }) => updatedAt >= since);
}

/** Forgets a draft and its files. */
export async function removeDraft(id: string): Promise<void> {
  const stored = await run<StoredDraft | undefined>('readonly', (drafts) => drafts.get(id));
  await run('readwrite', (drafts, files) => {
    for (const file of stored?.files ?? []) files.delete(file.id);
    return drafts.delete(id);
  });
}

export async function removeDraftsBefore(instant: number): Promise<void> {
  for (const draft of await run<StoredDraft[]>('readonly', (drafts) => drafts.getAll())) {
    if (draft.updatedAt < instant) await removeDraft(draft.id);
  }
}
