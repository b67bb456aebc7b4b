/** Tasks for the tests of the workers themselves. */
export interface TestServices {
  ask(question: string): Promise<string>;
}

export function echo(input: string): string {
  return input;
}

/** Holds buffers, which no limit of V8's heap counts. */
export async function hoard({ megabytes }: { megabytes: number }): Promise<number> {
  const held: Buffer[] = [];
  for (let n = 0; n < megabytes; n += 1) {
    held.push(Buffer.alloc(1_000_000, n));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return held.length;
}

/** Holds buffers as long as it works, and lets go of them; nobody collects them yet. */
export function grow({ megabytes }: { megabytes: number }): number {
  const held = Array.from({ length: megabytes }, (_, n) => Buffer.alloc(1_000_000, n + 1));
  return held.length;
}

/** Busy, and deaf to everything meanwhile. */
export function spin({ ms }: { ms: number }): number {
  const end = performance.now() + ms;
  let turns = 0;
  while (performance.now() < end) turns += 1;
  return turns;
}

export async function answered({ question }: { question: string }, { ask }: TestServices): Promise<string> {
  return `${question} ${await ask(question)}`;
}

export function environment(): string[] {
  return Object.keys(process.env);
}

export function processId(): number {
  return process.pid;
}
