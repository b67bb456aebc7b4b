import { duplicateFileNames } from '@lavra/domain';

export interface ChosenFiles {
  accepted: File[];
  /** Keys of sentences with what fills them, one per refused file. */
  refused: { key: string; name: string }[];
}

/** Only PDFs, no duplicate names, none over the limit (section 5). `known`: names that are in the list already. */
export function sortChosenFiles(files: readonly File[], known: readonly string[], maxBytes: number | undefined): ChosenFiles {
  const accepted: File[] = [];
  const refused: ChosenFiles['refused'] = [];
  for (const file of files) {
    const names = [...known, ...accepted.map(({ name }) => name)];
    const key = refusalOf(file, names, maxBytes);
    if (key) refused.push({ key, name: file.name });
    else accepted.push(file);
  }
  return { accepted, refused };
}

function refusalOf(file: File, names: readonly string[], maxBytes: number | undefined): string | null {
  if (!/\.pdf$/i.test(file.name) || (file.type !== '' && file.type !== 'application/pdf')) return 'document.notPdf';
  if (file.size === 0) return 'document.empty';
  if (maxBytes !== undefined && file.size > maxBytes) return 'document.tooLarge';
  return duplicateFileNames([...names, file.name]).length > 0 ? 'process.duplicateFileName' : null;
}
