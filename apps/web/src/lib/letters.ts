let before: Promise<unknown> = Promise.resolve();

/** What a page is opened for comes first. */
export function lettersAfter(wanted: Promise<unknown>): void {
  before = wanted.catch(() => {});
}

/** Others as wide stand in until then (`styles/base.css`): letters make nobody wait. */
export async function fetchLetters(): Promise<void> {
  await before;
  await import('../styles/letters.ts');
}
