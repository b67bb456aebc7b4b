export const systems = ['windows', 'macos', 'linux', 'phone'] as const;
export type System = (typeof systems)[number];

/** Whose installation steps to show. On telephones there is no Lavra Signer: the steps lead to another certificate type. */
export function systemOf(userAgent: string): System {
  if (/Android|iPhone|iPad|iPod/.test(userAgent)) return 'phone';
  if (/Windows/.test(userAgent)) return 'windows';
  return /Macintosh|Mac OS X/.test(userAgent) ? 'macos' : 'linux';
}
