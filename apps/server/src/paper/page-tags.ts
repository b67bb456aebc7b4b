import type { Doc } from './sheets.ts';

type Section = ReturnType<Doc['struct']>;

/** What pages say and what only adorns them, for screen readers (ISO 32000-2 §14.8): one section, in the order of drawing. */
export class PageTags {
  private readonly doc: Doc;
  private readonly section: Section | null;

  /** `as`: pages that join a document are a part of it. Without a section nothing is marked. */
  constructor(doc: Doc, section: { as: 'Sect' | 'Document'; title: string; lang: string } | null) {
    this.doc = doc;
    const { as = 'Sect', ...named } = section ?? {};
    this.section = section === null ? null : doc.struct(as, named);
    if (this.section !== null) doc.addStructure(this.section);
  }

  /** Draws something that is read; of a figure, what is said in its place and where it stands, from the page's upper left. */
  say(
    type: 'P' | 'Figure' | 'H1' | 'H2' | 'H3',
    draw: () => unknown,
    options: { alt?: string; bbox?: [number, number, number, number] } = {},
  ): void {
    if (this.section === null) return void draw();
    const content = this.doc.markStructureContent(type);
    draw();
    this.doc.endMarkedContent();
    this.section.add(this.doc.struct(type, options, [content]));
  }

  /** Draws what nobody reads out. */
  adorn(draw: () => unknown, type: 'Layout' | 'Pagination' = 'Layout'): void {
    if (this.section === null) return void draw();
    this.doc.markContent('Artifact', { type });
    draw();
    this.doc.endMarkedContent();
  }

  /** Before the document ends. */
  end(): void {
    this.section?.end();
  }
}
