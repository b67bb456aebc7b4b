import { displayedSize, uprightMatrix } from '../pdf/geometry.ts';
import type { Rect, Rotation } from '../pdf/geometry.ts';
import { PdfName, PdfStream, dict, latin1Bytes } from '../pdf/objects.ts';
import type { PdfObject, PdfRef } from '../pdf/objects.ts';
import type { Requirements } from '../pdf/requirements.ts';
import type { RevisionWriter } from '../pdf/revision-writer.ts';
import type { Appearance, TextFontName } from './appearance.ts';
import { EmbeddedFont } from './embedded-font.ts';
import { drawGround } from './ground.ts';
import { addImage, imageMatrix } from './image.ts';
import type { PlacedImage } from './image.ts';
import { layoutAppearance } from './layout.ts';
import type { Layout } from './layout.ts';
import { numbers, paintOf } from './paint.ts';
import { StandardFont } from './standard-font.ts';
import type { TextFont } from './text-font.ts';

/** Draws appearances into one revision; an image or font used by several boxes is written once. */
export class AppearanceBuilder {
  private readonly writer: RevisionWriter;
  private readonly requirements: Requirements;
  private readonly images = new Map<Uint8Array, PlacedImage>();
  private readonly embedded = new Map<Uint8Array, EmbeddedFont>();
  private readonly standard = new Map<string, StandardFont>();
  private readonly substitutes = new Map<string, Uint8Array>();

  constructor(writer: RevisionWriter, requirements: Requirements) {
    this.writer = writer;
    this.requirements = requirements;
  }

  /** The Form XObject for a box of `rect` on a page turned by `rotate`; null draws nothing. */
  async form(appearance: Appearance | null, rect: Rect, rotate: Rotation): Promise<PdfRef> {
    const size = displayedSize(rect, rotate);
    const matrix = uprightMatrix(rotate);
    const { content, resources } = await this.draw(appearance, size);
    const entries = dict({
      Type: new PdfName('XObject'),
      Subtype: new PdfName('Form'),
      BBox: [0, 0, size.width, size.height],
      ...(matrix ? { Matrix: matrix } : {}),
      Resources: dict(resources),
    });
    return this.writer.add(new PdfStream(entries, latin1Bytes(content)));
  }

  private async draw(
    appearance: Appearance | null,
    size: { width: number; height: number },
  ): Promise<{ content: string; resources: Record<string, PdfObject> }> {
    if (appearance === null || size.width <= 0 || size.height <= 0) {
      return { content: '', resources: {} };
    }
    const wantsImage = appearance.image !== undefined && appearance.imagePosition !== 'NONE';
    const image = wantsImage ? await this.image(appearance.image) : null;
    const text = (appearance.text ?? '').normalize('NFC');
    const font = text === '' ? null : await this.font(appearance);
    // Measured whole first, so that a refusal names every character and not only those of the first word.
    font?.width(text.replaceAll(/[\r\n\t]/g, ' '));
    const layout = layoutAppearance({ ...appearance, text }, size, image, font ?? noFont);
    const paint = paintOf(appearance.color ?? [0, 0, 0], this.requirements.colours);
    const ground = appearance.ground ? drawGround(appearance.ground, size, this.requirements) : null;
    const spaces = { ...ground?.spaces, ...(font && paint.space ? { C0: paint.space } : {}) };
    return {
      content: (ground?.content ?? '') + drawImage(layout, image) + (font ? drawText(layout, font, paint.operator) : ''),
      resources: {
        ...(ground?.state ? { ExtGState: dict({ G0: ground.state }) } : {}),
        ...(image && layout.image ? { XObject: dict({ Im0: image.ref }) } : {}),
        ...(font ? { Font: dict({ F0: font.ref }) } : {}),
        ...(Object.keys(spaces).length > 0 ? { ColorSpace: dict(spaces) } : {}),
      },
    };
  }

  private async image(bytes: Uint8Array | undefined): Promise<PlacedImage | null> {
    if (bytes === undefined) return null;
    const known = this.images.get(bytes);
    if (known !== undefined) return known;
    const image = await addImage(this.writer, bytes, this.requirements);
    this.images.set(bytes, image);
    return image;
  }

  private async font(appearance: Appearance): Promise<TextFont> {
    const name = appearance.font ?? 'HELVETICA';
    const file = appearance.fontFile ?? (this.requirements.embeddedFonts ? await this.substitute(name) : null);
    if (file !== null) {
      const known = this.embedded.get(file);
      if (known !== undefined) return known;
      const font = await EmbeddedFont.open(this.writer.reserve(), file);
      this.embedded.set(file, font);
      return font;
    }
    const known = this.standard.get(name);
    if (known !== undefined) return known;
    const font = new StandardFont(this.writer.reserve(), name);
    this.standard.set(name, font);
    return font;
  }

  /** The same measures and letters, from a file. */
  private async substitute(name: TextFontName): Promise<Uint8Array> {
    const { substituteFont } = await import('./substitute-fonts.ts');
    const bytes = this.substitutes.get(name) ?? substituteFont(name);
    this.substitutes.set(name, bytes);
    return bytes;
  }

  /** Writes the fonts. Call once, after the last form. */
  async finish(): Promise<void> {
    for (const font of this.standard.values()) this.writer.set(font.ref, font.object());
    for (const font of this.embedded.values()) await font.write(this.writer, { cidSet: this.requirements.cidSets });
  }
}

const noFont = { ascent: 0, descent: 0, width: () => 0 };

function drawImage(layout: Layout, image: PlacedImage | null): string {
  if (image === null || layout.image === null) return '';
  const { x, y, width, height } = layout.image;
  return `q ${numbers(imageMatrix(image.orientation, x, y, width, height))} cm /Im0 Do Q\n`;
}

function drawText(layout: Layout, font: TextFont, paint: string): string {
  if (layout.lines.length === 0) return '';
  const lines = layout.lines.map(({ text, x, y }) => `1 0 0 1 ${numbers([x, y])} Tm ${font.encode(text)} Tj\n`);
  return `q BT ${paint} /F0 ${numbers([layout.fontSize])} Tf\n${lines.join('')}ET Q\n`;
}
