import { getCurrentLinkSignature, type getSubDataProcess, type Reply } from '@lavra/api';
import { useState } from 'react';
import { callApi } from '../../../lib/api-client.ts';

type Signer = Reply<typeof getSubDataProcess>['signers'][number];

/** A signing link is asked for when it is wanted, because handing it out is an event: one's own is followed, another's copied. */
export function useSigningLink(processId: string) {
  const [failed, setFailed] = useState(false);
  /** Whose link was copied, as they were told of then, and where the browser did not let us, the link itself. */
  const [copied, setCopied] = useState<{ signer: Signer; link: string | null } | null>(null);
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
    /** What was copied for them, while it leads somewhere: who is corrected, by whatever page, has another link. */
    copiedFor(signer: Signer): { link: string | null } | null {
      return copied && signer.can.handOutLink && isSamePerson(copied.signer, signer) ? copied : null;
    },
    async sign(): Promise<void> {
      const address = await link();
      if (address) window.location.assign(address);
    },
    async copy(signer: Signer): Promise<void> {
      const address = await link(signer.id ?? '');
      if (!address) return;
      const isCopied = await navigator.clipboard.writeText(address).then(
        () => true,
        () => false,
      );
      setCopied({ signer, link: isCopied ? null : address });
    },
  };
}

/** Nobody is corrected without one of these becoming another. */
function isSamePerson(before: Signer, now: Signer): boolean {
  return before.id === now.id && before.name === now.name && before.email === now.email && before.legalIdentifier === now.legalIdentifier;
}
