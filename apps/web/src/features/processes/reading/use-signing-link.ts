import { getCurrentLinkSignature } from '@lavra/api';
import { useState } from 'react';
import { callApi } from '../../../lib/api-client.ts';

/** A signing link is asked for when it is wanted, because handing it out is an event: one's own is followed, another's copied. */
export function useSigningLink(processId: string) {
  const [failed, setFailed] = useState(false);
  /** Whose link was copied, and where the browser did not let us, the link itself. */
  const [copied, setCopied] = useState<{ signerId: string; link: string | null } | null>(null);
  async function link(signerId?: string): Promise<string | null> {
    setFailed(false);
    try {
      return (await callApi(getCurrentLinkSignature, { params: { processId }, query: { signerId } })).link;
    } catch {
      setFailed(true);
      return null;
    }
  }
  return {
    failed,
    copied,
    async sign(): Promise<void> {
      const address = await link();
      if (address) window.location.assign(address);
    },
    /** A link that was copied is worth nothing any more. */
    forget(signerId: string): void {
      setCopied((latest) => (latest?.signerId === signerId ? null : latest));
    },
    async copy(signerId: string): Promise<void> {
      const address = await link(signerId);
      if (!address) return;
      const isCopied = await navigator.clipboard.writeText(address).then(
        () => true,
        () => false,
      );
      setCopied({ signerId, link: isCopied ? null : address });
    },
  };
}
