/** What the evidence report is called where it is taken home. */
export function evidenceFileName(signatureProcessId: string): string {
  return `evidencias-${signatureProcessId}.pdf`;
}
