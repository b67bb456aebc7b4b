import type { At, Place, SigningEvent } from './signing-state.ts';

/** What every step is drawn from, and whom it tells what the person does. */
export interface StepProps<P extends Place['at']> {
  state: At<P>;
  /** Called within the click or the Enter key, so that a window may be opened. */
  send(event: SigningEvent): void;
}
