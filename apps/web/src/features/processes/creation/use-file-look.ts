import type { PageGeometry } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { inspectFile } from './inspect-file.ts';
import type { FileLook } from './inspect-file.worker.ts';
import type { FilePages } from './page-copies.ts';
import type { DraftFile } from './process-draft.ts';

/** A file does not change: it is looked at once for as long as it is chosen. */
const looks = new WeakMap<File, Promise<FileLook>>();

export function lookAtFile(file: File): Promise<FileLook> {
  const looking = looks.get(file) ?? inspectFile(file);
  looks.set(file, looking);
  return looking;
}

/** What preparing the file will do to it, and whether it opens; undefined until it has been looked at. */
export function useFileLook(file: File): FileLook | undefined {
  const [seen, setSeen] = useState<{ file: File; look: FileLook }>();
  useEffect(() => {
    let current = true;
    void lookAtFile(file).then((look) => current && setSeen({ file, look }));
    return () => {
      current = false;
    };
  }, [file]);
  return seen?.file === file ? seen.look : undefined;
}

/** The pages of all these files, by the file's id. */
export async function readFilePages(files: readonly DraftFile[]): Promise<FilePages> {
  const entries = files.map(async ({ id, file }): Promise<[string, readonly PageGeometry[]]> => {
    const look = await lookAtFile(file);
    return [id, look.facts?.pages ?? []];
  });
  return new Map(await Promise.all(entries));
}
