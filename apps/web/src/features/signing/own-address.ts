import { limits } from '@lavra/domain';
import { useEffect, useRef } from 'react';
import { logInBrowser } from '../../lib/browser-log.ts';

/**
 * What public services say of this browser's address: the first of them that says one, each waited for five seconds (section 5); null: none did.
 * A hint beside what the server sees: nothing waits for it, and nothing is refused without it.
 */
export async function askOwnAddress(urls: readonly string[], signal: AbortSignal): Promise<string | null> {
  for (const url of urls) {
    const found = await ask(url, signal).catch((error: unknown) => {
      if (!signal.aborted) logInBrowser('address', error);
      return null;
    });
    if (found !== null || signal.aborted) return found;
  }
  return null;
}

async function ask(url: string, signal: AbortSignal): Promise<string | null> {
  const asking = new AbortController();
  const stop = () => asking.abort();
  const timer = setTimeout(stop, limits.ipLookupMs);
  signal.addEventListener('abort', stop);
  try {
    const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', signal: asking.signal });
    return answer.ok ? addressIn(await answer.text()) : null;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The address in an answer: all of its text, or the `ip` of its JSON. Whether it is one the server judges. */
function addressIn(text: string): string | null {
  const told = text.trimStart().startsWith('{') ? (JSON.parse(text) as { ip?: unknown }).ip : text.trim();
  return typeof told === 'string' && /^[\da-f]*[.:][\da-f.:]{1,43}$/i.test(told) ? told : null;
}

/** Asks for the browser's address while its reader is still typing, a second after they began; `current` is what is known by now. */
export function useOwnAddress(urls: readonly string[]): { readonly current: string | null } {
  const address = useRef<string | null>(null);
  const asked = urls.join(' ');
  useEffect(() => {
    if (asked === '') return;
    const left = new AbortController();
    const timer = setTimeout(() => {
      void askOwnAddress(asked.split(' '), left.signal).then((found) => (address.current = found));
    }, limits.ipLookupDelayMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [asked]);
  return address;
}
