import { viewDocument } from '@lavra/api';
import { authorizationHeaders, callAddress } from '../../lib/api-client.ts';
import type { RemoteSource } from '../../pdf/remote-bytes.ts';
import type { SignerInformation } from './signer-information.ts';

/** Where the pages of a document come from, for whoever holds the link. */
export function documentSource({ id, size }: SignerInformation['documents'][number], user: string | undefined): RemoteSource {
  return { url: callAddress(viewDocument, { documentId: id }, { user }), headers: authorizationHeaders(), size };
}
