import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  getSecondFactors,
  type Proof,
  removePasskey,
  removeTotp,
  renewBackupCodes,
  type Reply,
  type SecondFactors,
} from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { makePasskey } from './browser-passkeys.ts';
import { nameOfThisDevice } from './device-name.ts';
import { usePasskey } from './use-passkey.ts';

/** What is to be done once it is shown who asks. */
export type FactorAct = { kind: 'addTotp' | 'addPasskey' | 'removeTotp' | 'renewCodes' } | { kind: 'removePasskey'; id: string };

/** `show`: backup codes are shown once, and not only when what else has changed was read. */
function useFactorCalls(show: (made: { backupCodes: readonly string[] | null }) => void) {
  const changed = [getSecondFactors];
  const begun = { begunTotp: useAct(beginTotp), begunPasskey: useAct(beginPasskey) };
  const done = { added: useAct(addPasskey, changed, show), renewed: useAct(renewBackupCodes, changed, show) };
  const removed = { removedTotp: useAct(removeTotp, changed), removedPasskey: useAct(removePasskey, changed) };
  const asked = { ...begun, ...done, ...removed };
  return { ...asked, confirmed: useAct(confirmTotp, changed, show), all: Object.values(asked) };
}

/** The changes of an account's factors: each asks for a proof, and what is made the first time brings backup codes. */
export function useFactors(factors: SecondFactors) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<FactorAct | null>(null);
  const [totp, setTotp] = useState<Reply<typeof beginTotp> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const passkey = usePasskey();
  const { begunTotp, confirmed, begunPasskey, added, removedTotp, removedPasskey, renewed, all } = useFactorCalls(({ backupCodes }) => {
    if (backupCodes === null) return;
    setWanted(null);
    setTotp(null);
    setCodes(backupCodes);
  });

  async function carryOut(act: FactorAct, proof: Proof): Promise<boolean> {
    const body = { proof };
    if (act.kind === 'removeTotp') return (await removedTotp.act({ body })) !== undefined;
    if (act.kind === 'removePasskey') return (await removedPasskey.act({ params: { id: act.id }, body })) !== undefined;
    if (act.kind === 'renewCodes') return (await renewed.act({ body })) !== undefined;
    if (act.kind === 'addPasskey') return addOne(body);
    const begun = await begunTotp.act({ body });
    if (begun) setTotp(begun.reply);
    return begun !== undefined;
  }
  async function addOne(body: { proof: Proof }): Promise<boolean> {
    const begun = await begunPasskey.act({ body });
    if (!begun) return false;
    setWanted(null);
    const made = await passkey.wait(makePasskey(begun.reply.passkey));
    if (made) await added.act({ body: { challenge: begun.reply.challenge, passkey: made, name: nameOfThisDevice(t) } });
    return true;
  }
  return {
    wanted,
    totp,
    codes,
    busy: all.some(({ busy }) => busy) || passkey.busy || confirmed.busy,
    failure: all.find(({ failure }) => failure !== null)?.failure ?? null,
    codeFailure: confirmed.failure,
    fault: passkey.fault,
    want(act: FactorAct): void {
      for (const one of [...all, confirmed]) one.forget();
      passkey.forget();
      setWanted(act);
      // A social account without any factor has nothing to show.
      if (!factors.hasPassword && !factors.totp && factors.passkeys.length === 0)
        void carryOut(act, {}).then((done) => done && setWanted(null));
    },
    prove: (proof: Proof) => void (wanted && carryOut(wanted, proof).then((done) => done && setWanted(null))),
    leave: () => setWanted(null),
    leaveTotp: () => setTotp(null),
    codesKept: () => setCodes(null),
    async confirm(code: string): Promise<void> {
      if (await confirmed.act({ body: { code } })) setTotp(null);
    },
  };
}
