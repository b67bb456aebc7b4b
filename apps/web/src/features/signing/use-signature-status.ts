import { followSigning, getSignatureStatus, type Reply } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useRef } from 'react';
import { useCall, usePutAnswer } from '../../lib/calls.ts';
import { callAddress } from '../../lib/api-client.ts';

export type SignatureStatus = Reply<typeof getSignatureStatus>;

interface Watch {
  id: string;
  user: string | undefined;
  /** The page's facts say that this person may act: the status is asked for again when this changes, until it knows of that too. */
  canSign: boolean;
  /** Asked for again when this changes: the process may end while somebody waits for their turn. */
  processStatus: string;
  /** Called once when what was under way (an authorisation, the signing) has ended, well or badly, or when it turns out that all was over. */
  onSigningEnded(status: SignatureStatus): void;
}

const underWay: ReadonlySet<string | undefined> = new Set(['AUTHORIZING', 'SIGNING']);
const over: ReadonlySet<string> = new Set(['SIGNED', 'REJECTED', 'EXPIRED', 'CANCELED']);

/** Also from one answer to the next: what was done between them may have been this page's own act, whose answer was lost. */
function hasEnded(was: string | undefined, now: string): boolean {
  return underWay.has(was) ? !underWay.has(now) : was !== undefined && !over.has(was) && over.has(now);
}

/** The state of this person's signature: asked at load and every three seconds while it is not known, or is being made (section 4), or when the server tells of it. */
export function useSignatureStatus({ id, user, canSign, processStatus, onSigningEnded }: Watch) {
  const asked = { params: { processId: id, signerId: user ?? '' } };
  const put = usePutAnswer(getSignatureStatus, asked);
  // What it said before somebody's turn came says nothing of what they may do since.
  const isUnknown = (reply: SignatureStatus | undefined) => reply === undefined || (canSign && reply.status === 'WAITING');
  const query = useCall(getSignatureStatus, asked, {
    enabled: user !== undefined,
    pollAfter: (reply) => (isUnknown(reply) || underWay.has(reply?.status) ? limits.signingStatusPollMs : false),
    // How long an authorisation is waited for ends with the time, which nobody tells of.
    toldBy: (reply) => (reply?.status === 'SIGNING' ? callAddress(followSigning, asked.params) : undefined),
  });
  const status = query.data;
  const { refetch } = query;
  useEffect(() => {
    // At load it is being asked for already.
    if (user) void refetch({ cancelRefetch: false });
  }, [user, canSign, processStatus, refetch]);
  const previous = useRef(status?.status);
  useEffect(() => {
    const was = previous.current;
    previous.current = status?.status;
    if (status && hasEnded(was, status.status)) onSigningEnded(status);
  }, [status, onSigningEnded]);
  return {
    status,
    /** Nothing was answered yet, well or badly. */
    pending: user !== undefined && !query.isFetched,
    /** It was asked for in vain, and is asked for again. */
    isMissing: isUnknown(status) && query.isFetched && (!status || query.isError),
    /** A request was accepted: from now on this is the state, whatever an older answer said. */
    mark(next: 'AUTHORIZING' | 'SIGNING'): void {
      void put({ status: next, reason: null, finalized: false });
    },
    /** Asks now. Undefined: nobody answered, and what was known may be old. */
    async refresh(): Promise<SignatureStatus | undefined> {
      const { data, isError } = await refetch();
      return isError ? undefined : data;
    },
  };
}
