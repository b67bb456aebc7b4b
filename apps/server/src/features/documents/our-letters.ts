import type { Appearance, SignatureRequest } from '@lavra/pades';
import { regularFont } from '../../paper/fonts.ts';

type Shown = Pick<SignatureRequest, 'appearance' | 'fills'>;

/** Our letters as they are told to a worker, which has them. No font is that short. */
const OURS = new Uint8Array(0);

/** For the way to a worker: our letters are 380 kB, which took longer to hand over and to read anew than to sign with. */
export function withoutOurLetters(appearance: Appearance): Appearance {
  return appearance.fontFile === regularFont ? { ...appearance, fontFile: OURS } : appearance;
}

/** There: the letters of the worker's own program, which it has read once. */
export function inOurLetters(appearance: Appearance): Appearance {
  return appearance.fontFile?.length === OURS.length ? { ...appearance, fontFile: regularFont } : appearance;
}

/** The same signature with everything that it shows changed. */
export function withAppearances<Request extends Shown>(request: Request, change: (appearance: Appearance) => Appearance): Request {
  const { appearance, fills } = request;
  return {
    ...request,
    ...(appearance && { appearance: change(appearance) }),
    ...(fills && { fills: fills.map((fill) => ({ ...fill, appearance: change(fill.appearance) })) }),
  };
}
