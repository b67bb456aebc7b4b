import { limits } from '@lavra/domain';

/** Name and CPF of a device's owner, kept only when they ask for it (a cookie of 100 days, this site only). */
const COOKIE = 'lavra-signer';

export function readRemembered(): { name: string; cpf: string } | null {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`));
  if (!found) return null;
  try {
    return JSON.parse(decodeURIComponent(found.slice(COOKIE.length + 1))) as { name: string; cpf: string };
  } catch {
    return null;
  }
}

export function remember(signer: { name: string; cpf: string } | null): void {
  const age = signer ? limits.rememberCookieDays * 86_400 : 0;
  const value = signer ? encodeURIComponent(JSON.stringify(signer)) : '';
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${COOKIE}=${value}; Max-Age=${age}; Path=/signer; SameSite=Strict${secure}`;
}
