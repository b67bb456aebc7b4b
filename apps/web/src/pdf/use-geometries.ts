import type { PageGeometry } from '@lavra/domain';
import { useCallback, useEffect, useState } from 'react';
import { geometryOf, type OpenedPdf } from './pdf-document.ts';

const CHUNK = 100;

function same(a: PageGeometry | undefined, b: PageGeometry): boolean {
  return a !== undefined && a.rotate === b.rotate && a.userUnit === b.userUnit && a.box.every((side, index) => side === b.box[index]);
}

/**
 * The geometry of every page. Until a page is known it is taken for one like the first. A file that is at hand
 * is asked for all its pages at once, so that nothing moves under the reader later; one that comes over the
 * network is asked page by page as they are drawn, because each question may be a request.
 */
export function useGeometries(
  pdf: OpenedPdf,
  atHand: boolean,
): [readonly PageGeometry[], (number: number, geometry: PageGeometry) => void] {
  const [geometries, setGeometries] = useState<readonly PageGeometry[]>(() => Array.from({ length: pdf.pageCount }, () => pdf.first));
  const learn = useCallback((from: number, found: readonly PageGeometry[]) => {
    setGeometries((known) =>
      found.every((geometry, index) => same(known[from - 1 + index], geometry)) ? known : known.toSpliced(from - 1, found.length, ...found),
    );
  }, []);
  useEffect(() => {
    if (!atHand) return undefined;
    let current = true;
    void (async () => {
      for (let from = 2; from <= pdf.pageCount && current; from += CHUNK) {
        const numbers = Array.from({ length: Math.min(CHUNK, pdf.pageCount - from + 1) }, (_, index) => from + index);
        // A page that cannot be read keeps the guess; the drawing of it fails for itself.
        const found = await Promise.all(
          numbers.map((number) =>
            pdf.document
              .getPage(number)
              .then(geometryOf)
              .catch(() => pdf.first),
          ),
        );
        if (current) learn(from, found);
      }
    })();
    return () => {
      current = false;
    };
  }, [pdf, atHand, learn]);
  const learnOne = useCallback((number: number, geometry: PageGeometry) => learn(number, [geometry]), [learn]);
  return [geometries, learnOne];
}
