import { useTranslation } from '../../../lib/i18n.ts';
import { Page } from '../../../shell/page.tsx';
import { EnrolmentForm } from './enrolment.tsx';
import { SecondStepForm, type SecondStepProps } from './second-step.tsx';

/** What the first step of a sign-in has led to. */
export type AwaitedStep = Omit<SecondStepProps, 'onBack'>;

/** The second step as a page of its own: the heading takes the focus. */
export function SecondStepPage(props: SecondStepProps) {
  const { t } = useTranslation();
  const { enrol } = props.step;
  return (
    <Page title={t(enrol ? 'enrolment.title' : 'secondStep.title')} frame="form">
      {enrol ? <EnrolmentForm {...props} /> : <SecondStepForm {...props} />}
    </Page>
  );
}
