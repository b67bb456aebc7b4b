import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { paragraphsOf, type TextRun } from './paragraphs.ts';

interface PageWordsProps {
  document: PDFDocumentProxy;
  /** One-based. */
  number: number;
  /** As the file says it; null: it does not. */
  language: string | null;
}

/**
 * What the page says, for who does not see its picture: read by screen readers behind it, and not drawn (the picture is). A page of
 * pictures alone says that it has no words, so that nobody takes it for empty.
 */
export function PageWords({ document, number, language }: PageWordsProps) {
  const { t } = useTranslation();
  const [paragraphs, setParagraphs] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let current = true;
    void document
      .getPage(number)
      .then((page) => page.getTextContent())
      .then(({ items }) => {
        if (current) setParagraphs(paragraphsOf(items.filter((item): item is typeof item & TextRun => 'str' in item)));
      })
      // The picture says what is wrong with a page that cannot be read.
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [document, number]);
  if (paragraphs === null) return null;
  if (paragraphs.length === 0) return <p className="visually-hidden">{t('pdf.noWords')}</p>;
  return (
    <div className="visually-hidden" lang={language ?? undefined}>
      {paragraphs.map((text, index) => (
        <p key={index}>{text}</p>
      ))}
    </div>
  );
}
