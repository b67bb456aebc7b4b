/** Into the browser's console, for what is only logged: nothing on the page tells it, or something does already. */
export function logInBrowser(what: string, why: unknown): void {
  // oxlint-disable-next-line no-console
  console.warn(what, why);
}
