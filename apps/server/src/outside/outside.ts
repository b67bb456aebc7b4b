/** One question to an address that a certificate names. */
export interface OutsideRequest {
  url: string;
  /** Sent by POST; a GET without it. */
  body?: { type: string; bytes: Uint8Array };
  /** More than this is refused while it comes in. */
  maxBytes: number;
}

/** Asks the outside world at addresses that strangers chose. */
export interface Outside {
  /** The answer's body, whatever it is: nothing of it is to be believed. @throws OutsideFault */
  fetch(request: OutsideRequest): Promise<Uint8Array>;
}

/**
 * ADDRESS_REFUSED: scheme, port, credentials or an address that is not public; UNREACHABLE: no name, no connection, or it
 * broke; TIMED_OUT; TOO_LARGE; ANSWER_REFUSED: a status other than 200, an encoding, too many redirects.
 */
export type OutsideFaultCode = 'ADDRESS_REFUSED' | 'UNREACHABLE' | 'TIMED_OUT' | 'TOO_LARGE' | 'ANSWER_REFUSED';

export class OutsideFault extends Error {
  override readonly name = 'OutsideFault';
  readonly code: OutsideFaultCode;

  constructor(code: OutsideFaultCode, message: string, cause?: unknown) {
    super(`${code}: ${message}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
