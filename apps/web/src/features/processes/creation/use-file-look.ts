import { useEffect, useState } from 'react';
import { inspectFile } from './inspect-file.ts';
import type { FileLook } from './inspect-file.worker.ts';

/** A file does not change: it is looked at once for as long as it is chosen. */
const looks = new WeakMap<File, Promise<FileLook>>();

/** What preparing the file will do to it, and whether it opens; undefined until it has been looked at. */
export function useFileLook(file: File): FileLook | undefined {
  const [seen, setSeen] = useState<{ file: File; look: FileLook }>();
  useEffect(() => {
    let current = true;
    const looking = looks.get(file) ?? inspectFile(file);
    looks.set(file, looking);
    void looking.then((look) => current && setSeen({ file, look }));
    return () => {
      current = false;
    };
  }, [file]);
  return seen?.file === file ? seen.look : undefined;
}
