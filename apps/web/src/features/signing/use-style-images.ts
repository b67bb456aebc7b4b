import { useMemo, useState } from 'react';
import type { SignatureImage } from './signature-image.ts';

type Style = SignatureImage['style'];
type Keep = (image: SignatureImage | null) => void;

/** The picture of each way to make one: what was drawn is still there after a look at the others. */
export function useStyleImages(): { images: Partial<Record<Style, SignatureImage | null>>; keep: Record<Style, Keep> } {
  const [images, setImages] = useState<Partial<Record<Style, SignatureImage | null>>>({});
  const keep = useMemo(() => {
    const keeper =
      (style: Style): Keep =>
      (image) =>
        setImages((known) => ({ ...known, [style]: image }));
    return { typed: keeper('typed'), drawn: keeper('drawn'), uploaded: keeper('uploaded') };
  }, []);
  return { images, keep };
}
