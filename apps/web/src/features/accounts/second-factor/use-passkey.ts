import { useState } from 'react';
import type { PasskeyOutcome } from './browser-passkeys.ts';

/** A browser at work with a passkey: what it made, undefined where it made nothing; then `fault` is the key of a sentence. */
export function usePasskey() {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function wait<T>(outcome: Promise<PasskeyOutcome<T>>): Promise<T | undefined> {
    setBusy(true);
    setFault(null);
    const done = await outcome.catch(() => ({ fault: 'passkey.failed' }));
    setBusy(false);
    if ('made' in done) return done.made;
    setFault(done.fault);
    return undefined;
  }
  return { wait, busy, fault, forget: () => setFault(null) };
}
