import { openEvents } from './api-client.ts';
import { watchStall } from './stalled.ts';

/** Two signs of life that did not come. */
const SILENT_MS = 45_000;
const AGAIN_MS = 1000;
const SELDOM_MS = 60_000;
/** A proxy may let the first words through and end it: that is not one that came about. */
const HELD_MS = 10_000;
/** What takes over from another part of a page finds the connection that it had. */
const LEFT_MS = 500;
/** Between two looks, where changes come thick and fast. */
const [CLOSE_MS, APART_MS] = [50, 5000];

interface Waiting {
  /** Something changed: ask. */
  changed(): unknown;
  /** Whether the server tells, now and from now on. */
  told(isTold: boolean): void;
}

interface Line {
  isTold: boolean;
  readonly waiting: Set<Waiting>;
  close(): void;
}

/** One connection for each address, however many parts of a page wait: a browser has six for a host, over HTTP/1.1. */
const lines = new Map<string, Line>();

/** Waits for the events of this address while the page is in sight: each says that something changed, the first that they are heard. Ends with what it gives back. */
export function waitAt(address: string, waiting: Waiting): () => void {
  const line = lines.get(address) ?? openLine(address);
  lines.set(address, line);
  line.waiting.add(waiting);
  waiting.told(line.isTold);
  // What it knows may be from before.
  if (line.isTold) waiting.changed();
  return () => {
    line.waiting.delete(waiting);
    waiting.told(false);
    setTimeout(() => {
      if (line.waiting.size > 0 || lines.get(address) !== line) return;
      lines.delete(address);
      line.close();
    }, LEFT_MS);
  };
}

function openLine(address: string): Line {
  let stopped = new AbortController();
  const tell = (told: boolean) => {
    if (line.isTold === told) return;
    line.isTold = told;
    line.waiting.forEach((one) => one.told(told));
  };
  const changed = spaced(() => line.waiting.forEach((one) => one.changed()));
  const heard = () => {
    tell(true);
    changed();
  };
  const follow = () => {
    stopped.abort();
    tell(false);
    stopped = new AbortController();
    if (document.visibilityState === 'visible') void goOn(address, stopped.signal, heard, () => tell(false));
  };
  const line: Line = {
    isTold: false,
    waiting: new Set(),
    close() {
      document.removeEventListener('visibilitychange', follow);
      stopped.abort();
    },
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return line;
}

/** The first change is followed at once; where one comes after the other, fewer and fewer of them. */
function spaced(act: () => void): () => void {
  let [last, gap] = [Number.NEGATIVE_INFINITY, CLOSE_MS];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    if (timer !== undefined) return;
    const since = performance.now() - last;
    gap = since < gap ? Math.min(gap * 2, APART_MS) : Math.max(gap / 2, CLOSE_MS);
    timer = setTimeout(() => {
      timer = undefined;
      last = performance.now();
      act();
    }, gap - since);
  };
}

/** Opens the connection again whenever it has ended; not all pages at once, and ever more rarely where it does not come about. */
async function goOn(address: string, signal: AbortSignal, heard: () => void, ended: () => void): Promise<void> {
  for (let pause = AGAIN_MS; !signal.aborted; pause = Math.min(pause * 2, SELDOM_MS)) {
    if (await hear(address, signal, heard)) pause = AGAIN_MS;
    if (signal.aborted) return;
    ended();
    const waited = pause * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, waited));
  }
}

/** Until it ends: whether anything was heard, and it held. */
async function hear(address: string, signal: AbortSignal, heard: () => void): Promise<boolean> {
  const silent = new AbortController();
  const stall = watchStall(() => silent.abort(), SILENT_MS);
  let [hasHeard, hasHeld] = [false, false];
  const holds = setTimeout(() => (hasHeld = true), HELD_MS);
  try {
    const answer = await openEvents(address, AbortSignal.any([signal, silent.signal]));
    // A proxy, or a server of a version before, may answer with a page.
    if (!answer.headers.get('Content-Type')?.startsWith('text/event-stream')) return false;
    const reader = answer.body?.getReader();
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      stall.moved();
      if (!piece.value.some(isWord)) continue;
      hasHeard = true;
      heard();
    }
  } catch {
    // However it ended, the page goes on asking by itself.
  } finally {
    clearTimeout(holds);
    stall.end();
    silent.abort();
  }
  return hasHeard && hasHeld;
}

/** A sign of life is a comment without words; whatever has words is a change, in how many pieces it may come. */
const isWord = (byte: number): boolean => byte >= 0x41;
