import { PadesError } from '../errors.ts';

/** Files of the corpus cost two for each byte at most, and those with five hundred signatures; small ones a million or so. */
const startingAllowance = 64 << 20;
const allowancePerByte = 16;

/**
 * Work budget (fuel) against algorithmic complexity attacks: how much reading a file is worth, bytes parsed or compared and
 * steps taken. An honest file costs a few times its size, and a little more for every further signature; one whose objects
 * overlap or whose lists repeat could cost its square.
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
