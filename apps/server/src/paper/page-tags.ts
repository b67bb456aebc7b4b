import { refer, textString } from './pdf-objects.ts';
import type { Place, Sheets } from './sheets.ts';

/** Where a figure stands, from the page's upper left: left, top, right, bottom. */
type Box = readonly [number, number, number, number];

interface Section {
  /** Pages that join a document are a part of it. */
  as: 'Sect' | 'Document';
  title: string;
  lang: string;
}

/** What pages say and what only adorns them, for screen readers (ISO 32000-2 §14.8): one section, in the order of drawing. */
export class PageTags {
  private readonly pdf: Sheets;
  private readonly section: Section | null;
  private readonly parts: { type: string; entries: string; places: readonly Place[] }[] = [];

  /** Without a section nothing is marked. */
  constructor(pdf: Sheets, section: Section | null) {
    this.pdf = pdf;
    this.section = section;
  }

  /** Draws something that is read; of a figure, what is said in its place and where it stands. */
  say(type: 'P' | 'Figure' | 'H1' | 'H2' | 'H3', draw: () => unknown, { alt, bbox }: { alt?: string; bbox?: Box } = {}): void {
    if (this.section === null) return void draw();
    const places = this.pdf.drawPart(type, draw);
    const said = alt === undefined ? '' : `/Alt${textString(alt)}`;
    const box = bbox && `/A<</O/Layout/Placement/Block/BBox[${this.upright(bbox).join(' ')}]>>`;
    this.parts.push({ type, entries: `${said}${box ?? ''}`, places });
  }

  private upright([left, top, right, bottom]: Box): string[] {
    const { page } = this.pdf;
    return [page.point(left, bottom), page.point(right, top)];
  }

  /** Draws what nobody reads out. */
  adorn(draw: () => unknown, type: 'Layout' | 'Pagination' = 'Layout'): void {
    if (this.section === null) return void draw();
    this.pdf.page.add(`/Artifact <</Type /${type}>> BDC`);
    draw();
    this.pdf.page.add('EMC');
  }

  /** Writes the structure: before the document ends. */
  end(): void {
    if (this.section === null) return;
    const { objects, pages } = this.pdf;
    const { as, title, lang } = this.section;
    const [root, section] = [objects.reserve(), objects.reserve()];
    /** Of each page, whose its parts are, by their numbers there. */
    const owners = new Map(pages.map((page) => [page, [] as string[]]));
    const kids = this.parts.map(({ type, entries, places }) => {
      const element = refer(objects.add(`<</S/${type}/P ${refer(section)}${entries}${contentOf(places)}>>`));
      for (const { page, mark } of places) owners.get(page)?.splice(mark, 1, element);
      return element;
    });
    objects.set(section, `<</S/${as}/P ${refer(root)}/T${textString(title)}/Lang${textString(lang)}/K[${kids.join(' ')}]>>`);
    const numbers = Array.from(owners.values(), (elements, index) => `${index}[${elements.join(' ')}]`);
    objects.set(
      root,
      `<</Type/StructTreeRoot/K[${refer(section)}]/ParentTree<</Nums[${numbers.join(' ')}]>>/ParentTreeNextKey ${pages.length}>>`,
    );
    this.pdf.tellStructure(`/MarkInfo<</Marked true>>/StructTreeRoot ${refer(root)}`);
  }
}

/** On more than one page: each place with its own (§14.7.5.2). */
function contentOf(places: readonly Place[]): string {
  const [first] = places;
  if (!first) return '';
  const kids = places.map(({ page, mark }) => (page === first.page ? `${mark}` : `<</Type/MCR/Pg ${refer(page.number)}/MCID ${mark}>>`));
  return `/Pg ${refer(first.page.number)}/K[${kids.join(' ')}]`;
}
