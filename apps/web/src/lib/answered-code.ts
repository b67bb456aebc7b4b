/**
 * The code of a refusal, from wherever the answer has it. A 401 that says nothing is not a fault of the server: something between
 * refused, and nobody knows why.
 */
export function answeredCode(status: number, title: string | undefined, header: string | null): string {
  return title ?? header ?? (status === 401 ? 'error.unknown' : 'server.unexpected');
}
