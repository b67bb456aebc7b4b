import { PadesError } from '../errors.ts';

const startingAllowance = 256 << 20;
const allowancePerByte = 24;

/**
 * How much reading a file is worth: bytes parsed or compared, and steps taken. An honest file costs a few times its
 * size, and a little more for every further signature; one whose objects overlap or whose lists repeat could cost its square.
 */
export class Work {
  /** What it has cost so far. */
  spent = 0;
  private readonly allowance: number;

  constructor(size: number) {
    this.allowance = startingAllowance + size * allowancePerByte;
  }

  /** Throws TOO_COMPLEX when the file has cost more than it is worth. */
  spend(amount: number): void {
    this.spent += amount;
    if (this.spent > this.allowance) throw new PadesError('TOO_COMPLEX', 'reading costs far more than the file is long');
  }
}
