import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyDialog } from './busy-dialog.tsx';
import type { DigitalDialogProps } from './digital/digital-dialog.tsx';

const DigitalDialog = lazy(() => import('./digital/digital-dialog.tsx').then((module) => ({ default: module.DigitalDialog })));
const ElectronicDialog = lazy(() => import('./electronic-dialog.tsx').then((module) => ({ default: module.ElectronicDialog })));

/** The act in the way the process asks for, loaded when it is wanted. */
export function SignDialog(props: DigitalDialogProps) {
  const { t } = useTranslation();
  const { information, processId, onMark, onClose } = props;
  return (
    <Suspense fallback={<BusyDialog title={t('signer.wait')} />}>
      {information.type === 'DIGITAL_SIGNATURE' ? (
        <DigitalDialog {...props} />
      ) : (
        <ElectronicDialog
          processId={processId}
          information={information}
          onClose={onClose}
          onSent={() => {
            onClose();
            onMark('SIGNING');
          }}
        />
      )}
    </Suspense>
  );
}
