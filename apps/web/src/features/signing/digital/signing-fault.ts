import type { Translate } from '../../../lib/i18n.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { codeText } from '../../../shell/error-text.ts';
import { CertificateFileError } from './certificate-file.ts';
import { LocalSignerError } from './local-signer-client.ts';
import type { Fault } from './signing-state.ts';

/** Whatever was thrown, as a code. */
export function faultOf(error: unknown): Fault {
  if (error instanceof ApiError) return { code: error.code, params: error.params };
  if (error instanceof CertificateFileError || error instanceof LocalSignerError) return { code: error.code, params: {} };
  return { code: 'server.unexpected', params: {} };
}

const ofFiles: Readonly<Record<string, string>> = {
  P12_WRONG_PASSWORD: 'digital.file.wrongPassword',
  P12_UNSUPPORTED: 'digital.file.unsupported',
  P12_NO_KEY: 'digital.file.noKey',
};

/** The key of the sentence that says what happened and what to do. */
export function sentenceOf({ code }: Pick<Fault, 'code'>): string {
  if (code.startsWith('P12_')) return ofFiles[code] ?? 'digital.file.damaged';
  return /^[A-Z_]+$/.test(code) ? `digital.local.fault.${code}` : code;
}

export function faultText(fault: Fault, t: Translate): string {
  return codeText(sentenceOf(fault), t, fault.params);
}
