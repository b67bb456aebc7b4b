import type { SignedData } from '../cms/read-signed-data.ts';
import type { NoteCode } from './report.ts';

/** What is odd about a signature's bytes and no fault of it. */
export function notesOn(cms: SignedData | null): NoteCode[] {
  const notes: NoteCode[] = [];
  if (cms?.definiteLength === false) notes.push('CMS_NOT_DER');
  if (cms?.isPadded === false) notes.push('ROOM_NOT_ZERO');
  return notes;
}
