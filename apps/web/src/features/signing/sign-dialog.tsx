import { Suspense, useEffect } from 'react';
import { lazyInTime } from '../../lib/lazy-pages.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { BusyDialog } from './busy-dialog.tsx';
import type { DigitalDialogProps } from './digital/digital-dialog.tsx';

const DigitalDialog = lazyInTime(async () => (await import('./digital/digital-dialog.tsx')).DigitalDialog);
const ElectronicDialog = lazyInTime(async () => (await import('./electronic-dialog.tsx')).ElectronicDialog);

interface SignDialogProps extends DigitalDialogProps {
  /** What the signature looks like now, Base64: the page shows it at its places. */
  onPicture(picture: string | null): void;
}

/** The act in the way the process asks for, loaded when it is wanted. */
export function SignDialog({ onPicture, ...props }: SignDialogProps) {
  const { t } = useTranslation();
  const { information, processId, status, onMark, onRefresh, onClose } = props;
  const isDigital = information.type === 'DIGITAL_SIGNATURE';
  // Whatever says so: the answer to the act, or, where that was lost, the next one.
  const isAtWork = !isDigital && status?.status === 'SIGNING';
  useEffect(() => {
    if (isAtWork) onClose();
    // `onClose` is another one with each look.
  }, [isAtWork]);
  return (
    <Suspense fallback={<BusyDialog title={t('word.wait')} />}>
      {isDigital ? (
        <DigitalDialog {...props} />
      ) : (
        <ElectronicDialog
          processId={processId}
          information={information}
          onPicture={onPicture}
          onClose={onClose}
          onRefresh={onRefresh}
          onSent={() => onMark('SIGNING')}
        />
      )}
    </Suspense>
  );
}
