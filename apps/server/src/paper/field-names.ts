/**
 * Names of the form fields that the preparation makes in a document. They carry the start of the document's
 * id: a file that was prepared here once and is uploaded again must not meet its own names.
 */
export function fieldNames(documentId: string) {
  const prefix = `lavra_${documentId.slice(0, 8)}`;
  return {
    /** `index`: position of the signer in the process, from 0. */
    signature: (index: number) => `${prefix}_s${index + 1}`,
    box: (index: number, box: number) => `${prefix}_s${index + 1}_caixa${box + 1}`,
    evidence: (index: number) => `${prefix}_s${index + 1}_evidencia`,
    seal: `${prefix}_selo`,
  };
}
