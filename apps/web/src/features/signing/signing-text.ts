import type { Translate } from '../../lib/i18n.ts';
import { codeText } from '../../shell/error-text.ts';
import type { SignatureStatus } from './use-signature-status.ts';

/** What to say while the documents are being signed: with the reason, where it takes longer than it should. */
export function signingText(status: SignatureStatus | undefined, t: Translate): string {
  const reason = status?.reason;
  if (!reason) return t('signer.signingText');
  return reason === 'signing.documentBusy' ? t('signer.signingQueued') : codeText(reason, t, status.reasonParams);
}
