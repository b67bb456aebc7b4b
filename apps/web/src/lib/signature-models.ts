import { getSignatureModels } from '@lavra/api';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './api-client.ts';

export const signatureModelsKey = ['signature-models'] as const;

/** The signed-in user's own signature models, by name. */
export function useSignatureModels() {
  return useQuery({ queryKey: signatureModelsKey, queryFn: () => callApi(getSignatureModels, {}) });
}
