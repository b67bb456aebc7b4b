import { PadesError } from '../errors.ts';

const startingAllowance = 256 << 20;
const allowancePerByte = 24;

/**
 * How much reading a file is worth: bytes parsed or compared, and steps taken. An honest file costs a few times its
 * size, and a little more for every further signature; one whose objects overlap or whose lists repeat could cost its square.
 */
export class Work {
  private left: number;

  constructor(size: number) {
    this.left = startingAllowance + size * allowancePerByte;
  }

  /** Throws TOO_COMPLEX when the file has cost more than it is worth. */
  spend(amount: number): void {
    this.left -= amount;
    if (this.left < 0) throw new PadesError('TOO_COMPLEX', 'reading costs far more than the file is long');
  }
}
