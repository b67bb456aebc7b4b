import type { SecondStep } from '@lavra/api';
import type { DeviceClaim } from './device-claim.ts';

/** An access token, and the claim that the browser keeps in its cookie. */
export interface Opened {
  token: string;
  device: DeviceClaim;
}

/** A session, or what is still asked before there is one. */
export type Entrance = Opened | { secondStep: SecondStep; device: DeviceClaim };
