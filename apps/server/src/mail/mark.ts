import { readFileSync } from 'node:fs';

/** By which a mail's HTML names the picture that travels with it. */
export const MARK_ID = 'lavra-mark';

/** The product's mark as mail programs draw it (they know no SVG): three pixels for each that is shown. */
export const mark = readFileSync(new URL('./mark.png', import.meta.url));
