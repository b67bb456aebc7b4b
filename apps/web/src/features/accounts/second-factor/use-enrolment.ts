import { beginSecondFactor, finishSecondFactor, type NewPasskey } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { keepToken } from '../../../lib/session.ts';
import { makePasskey } from './browser-passkeys.ts';
import { nameOfThisDevice } from './device-name.ts';
import type { SecondStepProps } from './second-step.tsx';
import { usePasskey } from './use-passkey.ts';

/** A factor made in the second step, up to the session that it opens. The token waits until the backup codes are kept. */
export function useEnrolment({ step: { challenge }, remember }: SecondStepProps) {
  const { t } = useTranslation();
  const begin = useAct(beginSecondFactor);
  const finish = useAct(finishSecondFactor);
  const passkey = usePasskey();
  const [totp, setTotp] = useState<{ secret: string; address: string; picture: string } | null>(null);
  const [opened, setOpened] = useState<{ token: string; codes: string[] } | null>(null);
  const enter = (token: string) => keepToken(token, remember);

  async function keep(proven: { code?: string } | { passkey: NewPasskey; name: string }): Promise<void> {
    const done = await finish.act({ body: { challenge, ...proven } });
    if (!done) return;
    const { id_token: token, backupCodes: codes } = done.reply;
    if (codes === null) enter(token);
    else setOpened({ token, codes });
  }
  return {
    totp,
    opened,
    busy: begin.busy || finish.busy || passkey.busy,
    failure: begin.failure ?? finish.failure,
    fault: passkey.fault,
    enter,
    keepCode: (code: string) => void keep({ code }),
    leaveTotp(): void {
      finish.forget();
      setTotp(null);
    },
    async startTotp(): Promise<void> {
      const begun = await begin.act({ body: { challenge, kind: 'totp' } });
      if (begun?.reply.totp) setTotp(begun.reply.totp);
    },
    async startPasskey(): Promise<void> {
      const begun = await begin.act({ body: { challenge, kind: 'passkey' } });
      const made = begun?.reply.passkey && (await passkey.wait(makePasskey(begun.reply.passkey)));
      if (made) await keep({ passkey: made, name: nameOfThisDevice(t) });
    },
  };
}
