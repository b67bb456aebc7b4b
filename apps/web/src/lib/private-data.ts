/** The browser's database of what its user has not sent yet: drafts of processes, files included. */
export const privateDatabase = 'lavra';

const SIGNED_OUT = 'lavra-signed-out';

/** Removes from this browser what the user who signs out leaves behind. */
export function forgetPrivateData(): void {
  indexedDB.deleteDatabase(privateDatabase);
  window.dispatchEvent(new Event(SIGNED_OUT));
}

export function onSignedOut(act: () => void): void {
  window.addEventListener(SIGNED_OUT, act);
}
