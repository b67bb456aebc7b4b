import { useEffect, useRef, useSyncExternalStore } from 'react';

type Taker = (files: File[]) => void;

/** Whoever came last gets what is dropped: a part of a page stands before the page. */
const takers: Taker[] = [];
let isOver = false;
const watchers = new Set<() => void>();

function show(over: boolean): void {
  if (over === isOver) return;
  isOver = over;
  for (const told of watchers) told();
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

function onDragOver(event: DragEvent): void {
  // A part of the page that takes files itself has said so already.
  if (!holdsFiles(event)) return;
  if (event.defaultPrevented) return show(false);
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = takers.length > 0 ? 'copy' : 'none';
  show(takers.length > 0);
}

function onDragLeave({ relatedTarget }: DragEvent): void {
  if (relatedTarget === null) show(false);
}

function onDrop(event: DragEvent): void {
  show(false);
  if (!holdsFiles(event) || event.defaultPrevented) return;
  event.preventDefault();
  takers.at(-1)?.([...(event.dataTransfer?.files ?? [])]);
}

/**
 * A file that is dropped beside everything that takes files is taken by the page, or by nobody: a browser would leave the product for
 * the file, and with it what was filled in. Once for the whole product.
 */
export function useWindowDropGuard(): void {
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    window.addEventListener('dragover', onDragOver, { signal });
    window.addEventListener('dragleave', onDragLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    return () => gone.abort();
  }, []);
}

/** Makes the whole window the place to drop files; true while some are held over it. */
export function useWindowDrop(onFiles: Taker): boolean {
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const taker: Taker = (files) => latest.current(files);
    takers.push(taker);
    return () => {
      takers.splice(takers.indexOf(taker), 1);
      show(false);
    };
  }, []);
  return useSyncExternalStore(watch, () => isOver);
}

function watch(told: () => void): () => void {
  watchers.add(told);
  return () => watchers.delete(told);
}
