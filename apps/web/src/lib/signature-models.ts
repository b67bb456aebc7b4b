import { getDefaultElectronicModel, signatureModels } from '@lavra/api';
import { defaultModels, type SignatureModel } from '@lavra/domain';
import { useCall } from './calls.ts';

/** The signed-in user's own signature models, by name: all of them, to choose from. */
export function useSignatureModels() {
  const { data, isError } = useCall(signatureModels.list, { query: {} });
  return { data: data?.items, isError };
}

/** How an electronic signature is drawn; asked only where it will be seen. Until the answer comes, as this program knows it. */
export function useDefaultElectronicModel(isSeen: boolean): { model: SignatureModel; isError: boolean } {
  const { data, isError } = useCall(getDefaultElectronicModel, {}, { enabled: isSeen });
  const { id: _id, createdDate: _date, ...answered } = data ?? { id: null, createdDate: null, ...defaultModels.electronic };
  const own = Object.entries(defaultModels.electronic);
  const isOwn = own.every(([field, value]) => answered[field as keyof SignatureModel] === value);
  return { model: isOwn ? defaultModels.electronic : answered, isError };
}
