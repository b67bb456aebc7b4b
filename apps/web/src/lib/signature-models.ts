import { signatureModels } from '@lavra/api';
import { useCall } from './calls.ts';

/** The signed-in user's own signature models, by name: all of them, to choose from. */
export function useSignatureModels() {
  const { data, isError } = useCall(signatureModels.list, { query: {} });
  return { data: data?.items, isError };
}
