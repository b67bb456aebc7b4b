import { getRequisitionInformation, setSignerLanguage } from '@lavra/api';
import { useEffect } from 'react';
import { useAct } from '../../lib/calls.ts';
import { hasChosenLocale, offerLocale, useTranslation } from '../../lib/i18n.ts';
import type { SignerInformation } from './signer-information.ts';

/**
 * The page opens in the language that the sender chose for the process, unless this browser's user has chosen one. A language that
 * they choose is told to the server, so that the sentence they agree to and their mails follow.
 */
export function useSignerLanguage(information: SignerInformation | undefined): void {
  const me = information?.me;
  const { i18n } = useTranslation();
  const { act } = useAct(setSignerLanguage, [getRequisitionInformation]);
  const id = me?.id;
  const theirs = me?.langKey ?? information?.code?.langKey;
  const canStillAct = me?.status === 'SENT' || me?.status === 'WAITING';
  useEffect(() => {
    if (!theirs || i18n.language === theirs) return;
    if (!hasChosenLocale()) void offerLocale(theirs);
    // A failure leaves them what the sender chose.
    else if (id && canStillAct) void act({ params: { signerId: id }, body: { langKey: i18n.language } });
    // `act` is another one with each look.
  }, [id, theirs, canStillAct, i18n.language]);
}
