/** Where providers send people back to. Registered at each of them and compared letter by letter: `state` says which act it is. */
export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/callback/psc`;
}
