import type { LangKey } from '@lavra/api';
import { type BoxState, type DomainErrorCode, limits, type Rect } from '@lavra/domain';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { onSignedOut } from '../../../lib/private-data.ts';
import { clearToasts, showToast } from '../../../ui/toasts.ts';
import { readDraft, readDrafts, removeDraft, removeDraftsBefore, storeDraft } from './draft-store.ts';
import { onToldByWindow, tellOtherWindows } from './draft-windows.ts';

/** A file of the draft; `id` is local until the upload. */
export interface DraftFile {
  id: string;
  name: string;
  file: File;
  /** It needs a password that has not been typed yet; undefined: nobody has looked. */
  isLocked?: boolean;
  /** Why it cannot be signed. */
  refusal?: DomainErrorCode;
  /** SHA-256 of the file with a password that this copy was opened from. */
  openedFrom?: string;
}

export interface SignerDraft {
  id: string;
  name: string;
  email: string;
  /** As the sender writes it, or null. */
  phoneNumber: string | null;
  /** Eleven digits of whose certificate is expected, or null. */
  cpf: string | null;
  /** Of the company that they sign for, fourteen characters, or null. */
  cnpj: string | null;
  quantity: number;
  /** ISO instant or null. */
  dueDate: string | null;
  /** Called at the same time as the one before. */
  withPrevious?: boolean;
}

/** Who they are; the rest is how they sign. */
export type SignerPerson = Pick<SignerDraft, 'name' | 'email' | 'phoneNumber' | 'cpf' | 'cnpj'>;

export interface DraftBox {
  state: BoxState;
  /** One-based; null until first placed. */
  page: number | null;
  /** User space of that page. */
  rect: Rect | null;
}

/** All that the creation screens know. Lives in memory and in IndexedDB, files included; the history carries only its id. */
export interface ProcessDraft {
  id: string;
  createdAt: number;
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
  /** They hear of its success. */
  tellStakeholders: boolean;
  hasReminder: boolean;
  reminderDays: number;
  modality: 'digital' | 'electronic' | null;
  visible: boolean;
  /** The same choice for the modality that is not chosen now: each remembers its own. */
  visibleElsewhere?: boolean;
  /** One of the creator's own signature models, in a digital process; null: the default. */
  modelId: string | null;
  geolocationOptional: boolean;
  /** Of the people who sign; left out: the sender's own. */
  langKey?: LangKey;
  /** By `${signerId}/${fileId}/${repetition}`. */
  boxes: Record<string, DraftBox>;
  /** Which repetition is the signature itself, by `${signerId}/${fileId}`; 0 unless chosen. */
  realSignature: Record<string, number>;
  /** By `${signerId}/${fileId}`: their first box is copied to every other page of it. */
  everyPage: Record<string, boolean>;
  /** One per content: a retry after a failure acts once, and a change makes it another creation. */
  creationKey: string;
}

const LIFETIME_MS = limits.draftLifetimeHours * 3_600_000;

/** What the screens show; `null`: looked for and not there. */
const memory = new Map<string, ProcessDraft | null>();
const listeners = new Set<() => void>();

function remember(id: string, draft: ProcessDraft | null): void {
  memory.set(id, draft);
  for (const listener of listeners) listener();
}

onSignedOut(() => {
  memory.clear();
  for (const listener of listeners) listener();
});

/** Files that are in the store already, and the drafts whose latest state is not. */
const keptFiles = new Set<string>();
const unsaved = new Set<string>();
/** Drafts that a process was made of: shown until their page is left, kept by nobody. */
const sent = new Set<string>();
/** Drafts that another window sent or discarded while they stood here. */
const endedElsewhere = new Set<string>();
let saving: Promise<void> | null = null;

/** Writes one state after the other; states that came while one was being written are skipped but for the last. */
async function saveAll(): Promise<void> {
  // All changes of one event become one write.
  await Promise.resolve();
  for (const id of unsaved) {
    unsaved.delete(id);
    const draft = memory.get(id);
    if (!draft || sent.has(id)) continue;
    // Without a store (no space, private window) the draft still lives as long as the page.
    await storeDraft(draft, keptFiles).then(
      () => {
        draft.files.forEach((file) => keptFiles.add(file.id));
        tellOtherWindows({ id, isGone: false });
      },
      () => {},
    );
  }
  saving = null;
}

function keep(draft: ProcessDraft): Promise<void> {
  remember(draft.id, draft);
  unsaved.add(draft.id);
  saving ??= saveAll();
  return saving;
}

onToldByWindow(({ id, isGone }) => {
  if (!memory.get(id)) return;
  if (!isGone) return void takeOver(id);
  unsaved.delete(id);
  endedElsewhere.add(id);
  remember(id, null);
});

/** Shows a draft as another window has kept it. */
async function takeOver(id: string): Promise<void> {
  await saving;
  const before = memory.get(id);
  const found = await readDraft(id).catch(() => null);
  // Who changes it here at that very moment is not interrupted.
  if (!before || !found || memory.get(id) !== before) return;
  const files = found.files.map((file) => {
    keptFiles.add(file.id);
    // The same bytes: what shows them need not begin anew.
    return { ...file, file: before.files.find((own) => own.id === file.id)?.file ?? file.file };
  });
  remember(id, { ...found, files });
}

/** A process was made of it: a page that ends before it is left, by a reload or a closed window, leaves nothing behind that would be offered again. */
export async function endDraft(id: string): Promise<void> {
  sent.add(id);
  await forget(id);
}

export async function deleteDraft(id: string): Promise<void> {
  remember(id, null);
  // What was taken off has nowhere to come back to.
  clearToasts();
  await forget(id);
}

async function forget(id: string): Promise<void> {
  await saving;
  await removeDraft(id).catch(() => {});
  tellOtherWindows({ id, isGone: true });
}

/** A draft as it is offered again. */
export interface KeptDraft {
  id: string;
  title: string;
  fileCount: number;
  updatedAt: number;
}

/** What was begun here within a day and more than chosen, the newest first. */
export async function listDrafts(): Promise<KeptDraft[]> {
  const kept = await readDrafts(Date.now() - LIFETIME_MS).catch(() => []);
  return kept
    .filter((draft) => isTouched(draft) && memory.get(draft.id) !== null)
    .map(({ id, title, files, updatedAt }) => ({ id, title, fileCount: files.length, updatedAt }))
    .toSorted((one, other) => other.updatedAt - one.updatedAt);
}

/** Opens a draft over chosen files, `content` with what else is known of it, and clears out drafts older than a day. */
export async function createDraft(
  files: readonly File[],
  content: (fresh: Pick<ProcessDraft, 'files'>) => Partial<ProcessDraft> | Promise<Partial<ProcessDraft>> = () => ({}),
): Promise<string> {
  await removeDraftsBefore(Date.now() - LIFETIME_MS).catch(() => {});
  const id = crypto.randomUUID();
  const now = Date.now();
  const fresh: ProcessDraft = {
    id,
    createdAt: now,
    updatedAt: now,
    title: files[0]?.name.replace(/\.pdf$/i, '').slice(0, limits.titleMax) ?? '',
    files: files.map((file) => ({ id: crypto.randomUUID(), name: file.name, file })),
    signers: [],
    stakeholders: [],
    hasDeadline: false,
    deadline: null,
    multiple: false,
    individual: false,
    hasStakeholders: false,
    tellStakeholders: true,
    hasReminder: false,
    reminderDays: limits.reminderDays[0],
    modality: null,
    visible: false,
    modelId: null,
    geolocationOptional: false,
    boxes: {},
    realSignature: {},
    everyPage: {},
    creationKey: crypto.randomUUID(),
  };
  await keep({ ...fresh, ...(await content(fresh)) });
  return id;
}

/** True when more was done than choosing the first files. */
export function isTouched(draft: Pick<ProcessDraft, 'createdAt' | 'updatedAt'>): boolean {
  return draft.updatedAt > draft.createdAt;
}

/** What changes, or how it follows from the latest state: two events before one drawing must not undo each other. */
export type DraftChange = Partial<ProcessDraft> | ((draft: ProcessDraft) => Partial<ProcessDraft>);
export type UpdateDraft = (change: DraftChange) => void;

function changeDraft(id: string, change: DraftChange): void {
  const before = memory.get(id);
  if (!before) return;
  const part = typeof change === 'function' ? change(before) : change;
  void keep({ ...before, ...part, updatedAt: Date.now(), creationKey: crypto.randomUUID() });
}

/** What looking at a file found: no change of anybody's. */
export function noteLook(id: string, fileId: string, found: Pick<DraftFile, 'isLocked' | 'refusal'>): void {
  const draft = memory.get(id);
  if (draft) void keep({ ...draft, files: draft.files.map((file) => (file.id === fileId ? { ...file, ...found } : file)) });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The draft of an id: `undefined` while it loads, `null` when there is none. Every change is kept at once. */
export function useDraft(id: string | undefined): [ProcessDraft | null | undefined, UpdateDraft] {
  const { t } = useTranslation();
  const draft = useSyncExternalStore(subscribe, () => (id === undefined ? null : memory.get(id)));
  useEffect(() => {
    if (draft === null && id !== undefined && endedElsewhere.delete(id)) showToast({ text: t('prepare.endedElsewhere') });
  }, [draft === null]);
  useEffect(() => {
    if (id === undefined || memory.has(id)) return;
    void readDraft(id)
      .catch(() => null)
      .then((found) => {
        if (memory.has(id)) return;
        found?.files.forEach((file) => keptFiles.add(file.id));
        remember(id, found);
      });
  }, [id]);
  const update = useCallback((change: DraftChange) => id !== undefined && changeDraft(id, change), [id]);
  return [draft, update as UpdateDraft];
}
