import { createHash } from 'node:crypto';
import { PadesError } from '../../errors.ts';
import { openPdf } from '../../open-pdf.ts';
import { PdfRef, PdfString, decodeText, isDict } from '../../pdf/objects.ts';
import type { PdfDict } from '../../pdf/objects.ts';
import { findPage } from '../../pdf/pages.ts';
import type { FoundPage } from '../../pdf/pages.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { memorySource } from '../../source.ts';
import type { Change, Indication, SignatureReport } from '../../verify/report.ts';
import { verifyPdf } from '../../verify/verify-pdf.ts';
import type { VerificationOptions } from '../../verify/verify-pdf.ts';
import { differences, maxPages } from './picture.ts';
import type { Claim, Drawer, Drawn, Medium } from './picture.ts';

/** A way in which a page is seen: by whom, and on what. */
export interface View {
  readonly drawer: Drawer;
  readonly medium: Medium;
}

/** What the verifier says of a file. */
export interface Judgement {
  readonly signatures: readonly SignatureReport[];
  /** What it says of the first signature, or that the file is none that can be verified. */
  readonly verdict: Indication | 'REFUSED' | 'NOT_LISTED';
}

export interface Find {
  /** The field of the signature that passes. */
  readonly field: string;
  /** Where the file ends that was signed. */
  readonly end: number;
  /** Views that show something else now. */
  readonly seenBy: readonly string[];
}

/** Dots that fall on either side of a threshold for no reason. */
const tolerated = 4;
const keptPictures = 150;

/** Asks verifier and drawers of the same file. */
export class Oracle {
  /** How often each view showed a file before and after. */
  readonly drawn = new Map<string, number>();
  /** How often each view came to no end. */
  readonly endless = new Map<string, number>();
  private readonly views: readonly View[];
  private readonly options: VerificationOptions;
  private readonly pictures = new Map<string, Promise<Drawn>>();

  constructor(views: readonly View[], options: VerificationOptions) {
    this.views = views;
    this.options = options;
  }

  async judge(file: Uint8Array): Promise<Judgement> {
    try {
      const { signatures } = await verifyPdf(await openPdf(memorySource(file)), this.options);
      const first = signatures.find(({ fields }) => fields.includes('ana'));
      return { signatures, verdict: first?.indication ?? 'NOT_LISTED' };
    } catch (error) {
      if (error instanceof PadesError) return { signatures: [], verdict: 'REFUSED' };
      throw error;
    }
  }

  /** What is seen otherwise than by who signed, though the signature passes. */
  async look(file: Uint8Array, passed: readonly SignatureReport[]): Promise<Find | null> {
    for (const { end, fields, changes } of passed) {
      if (end >= file.length) continue;
      const before = file.slice(0, end);
      const claims = await claimsOf(file, changes);
      const seenBy = await this.seenBy(before, file, claims);
      if (seenBy.length > 0) return { field: fields.join(), end, seenBy };
    }
    return null;
  }

  private async seenBy(before: Uint8Array, file: Uint8Array, claims: readonly Claim[]): Promise<string[]> {
    const answers = await Promise.all(this.views.map((view) => this.isSeen(view, before, file, claims)));
    return this.views.filter((_, index) => answers[index]).map(nameOf);
  }

  private async isSeen(view: View, before: Uint8Array, file: Uint8Array, claims: readonly Claim[]): Promise<boolean> {
    const { drawer, medium } = view;
    const was = await this.pictureOf(view, before);
    // Who shows nothing of the signed file cannot be deceived by what follows.
    if (was === null || was === 'endless') return false;
    const is = await this.draw(view, file);
    // Nobody sees anything there: a nuisance, no deceit. It is told with the counts.
    if (is === 'endless') return false;
    this.drawn.set(nameOf(view), (this.drawn.get(nameOf(view)) ?? 0) + 1);
    const jitters = drawer.jittersOn === medium;
    if (is !== null && differences(was, is, claims, jitters) <= tolerated) return false;
    // Once more, both: a program that was disturbed, draws by chance or by what it drew before is no witness.
    const [again, now, steady] = [await this.drawAlone(view, before), await this.drawAlone(view, file), await this.drawAlone(view, before)];
    if (again === null || again === 'endless' || now === 'endless' || steady === null || steady === 'endless') return false;
    if (differences(again, steady, []) > 0) return false;
    return now === null ? is === null : differences(again, now, claims, jitters) > tolerated;
  }

  private draw(view: View, file: Uint8Array): Promise<Drawn> {
    return this.counted(view, view.drawer.draw(file, view.medium));
  }

  private drawAlone(view: View, file: Uint8Array): Promise<Drawn> {
    const { drawer, medium } = view;
    return this.counted(view, drawer.drawAlone?.(file, medium) ?? drawer.draw(file, medium));
  }

  private async counted(view: View, drawing: Promise<Drawn>): Promise<Drawn> {
    const drawn = await drawing;
    if (drawn === 'endless') this.endless.set(nameOf(view), (this.endless.get(nameOf(view)) ?? 0) + 1);
    return drawn;
  }

  private pictureOf(view: View, file: Uint8Array): Promise<Drawn> {
    const key = `${nameOf(view)} ${createHash('sha256').update(file).digest('base64')}`;
    const known = this.pictures.get(key);
    if (known !== undefined) return known;
    const drawn = this.draw(view, file);
    this.pictures.set(key, drawn);
    const [oldest] = this.pictures.keys();
    if (this.pictures.size > keptPictures && oldest !== undefined) this.pictures.delete(oldest);
    return drawn;
  }
}

export function nameOf({ drawer, medium }: View): string {
  return `${drawer.name} ${medium === 'print' ? 'in print' : 'on screen'}`;
}

/** Where the fields stand that were filled or signed since, as the verifier says. */
async function claimsOf(file: Uint8Array, changes: readonly Change[]): Promise<Claim[]> {
  const names = new Set(changes.flatMap(({ field }) => (field === null ? [] : [field])));
  if (names.size === 0) return [];
  const pdf = await openPdf(memorySource(file));
  const claims: Claim[] = [];
  for (let page = 0; page < maxPages; page++) {
    const found = await findPage(pdf, page + 1).catch(() => null);
    if (found === null) break;
    for (const item of (await pdf.resolveArray(found.dict.get('Annots'))) ?? []) {
      const dict = await pdf.resolve(item);
      if (!isDict(dict) || !names.has(await fullName(pdf, dict))) continue;
      const rect = ((await pdf.resolveArray(dict.get('Rect'))) ?? []).map(Number);
      claims.push({ page, box: shown(rect, found) });
    }
  }
  return claims;
}

async function fullName(pdf: Pdf, dict: PdfDict): Promise<string> {
  const parts: string[] = [];
  let current: PdfDict | null = dict;
  for (let depth = 0; current !== null && depth < 8; depth++) {
    const name = await pdf.resolve(current.get('T'));
    if (name instanceof PdfString) parts.unshift(decodeText(name));
    const parent: unknown = current.get('Parent');
    current = parent instanceof PdfRef ? await pdf.resolveDict(parent) : null;
  }
  return parts.join('.');
}

/** From the page's own space to what is seen, lower left corner first. */
function shown(rect: readonly number[], { info }: FoundPage): Claim['box'] {
  const { mediaBox, rotate } = info;
  const [a = 0, b = 0, c = 0, d = 0] = rect;
  const [x0, x1] = [Math.min(a, c) - mediaBox[0], Math.max(a, c) - mediaBox[0]];
  const [y0, y1] = [Math.min(b, d) - mediaBox[1], Math.max(b, d) - mediaBox[1]];
  const [width, height] = [mediaBox[2] - mediaBox[0], mediaBox[3] - mediaBox[1]];
  if (rotate === 90) return [y0, width - x1, y1, width - x0];
  if (rotate === 180) return [width - x1, height - y1, width - x0, height - y0];
  return rotate === 270 ? [height - y1, x0, height - y0, x1] : [x0, y0, x1, y1];
}
