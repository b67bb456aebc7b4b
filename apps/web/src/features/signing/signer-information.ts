import type { getRequisitionInformation, Reply } from '@lavra/api';

/** What the holder of a signing link may know of the process. */
export type SignerInformation = Reply<typeof getRequisitionInformation>;
