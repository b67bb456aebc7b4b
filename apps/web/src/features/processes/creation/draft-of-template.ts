import { createDraft } from './process-draft.ts';
import { type ProcessTemplate, templateContent } from './template-content.ts';
import { readFilePages } from './use-file-look.ts';

/** A draft of what an ended process was made of; deadlines are past, and are chosen anew. `files`: in the template's order. */
export async function draftOfTemplate(template: ProcessTemplate, files: readonly File[]): Promise<string> {
  return createDraft(files, async (fresh) => templateContent(template, { ...fresh, filePages: await readFilePages(fresh.files) }));
}
