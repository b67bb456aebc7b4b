import type { Appearance } from '../appearance/appearance.ts';
import type { Rect } from '../pdf/geometry.ts';
import type { Pdf } from '../pdf/pdf.ts';
import type { FieldLock } from '../pdf/permissions.ts';

/**
 * Where a widget stands. `page` counts from 1 through the document as it is; `appendedPage` counts from 1 through
 * the pages that the same plan appends. `rect` is in that page's unrotated user space, in points.
 */
export type FieldPosition = { readonly page: number; readonly rect: Rect } | { readonly appendedPage: number; readonly rect: Rect };

/** A signature field to be created (ISO 32000-2 §12.7.5.5). */
export interface SignatureFieldPlan {
  /** Partial name: not empty, no dot, unused in the document. */
  readonly name: string;
  /** Left out: invisible, on the first page. */
  readonly at?: FieldPosition;
  /** What a screen reader says (TU); in tagged files, left out: the name. */
  readonly tooltip?: string;
  /** Put into force by whoever signs the field. */
  readonly lock?: FieldLock;
}

/** A read-only text field, to be filled in the revision of the signer to whom it belongs. */
export interface TextFieldPlan {
  readonly name: string;
  readonly at: FieldPosition;
  readonly tooltip?: string;
  readonly value?: string;
  /** How it looks until it is filled; left out: empty. */
  readonly appearance?: Appearance;
  /** The signature field of this plan whose signer it belongs to: that field's Lock names it, and nobody else may fill it. */
  readonly signer?: string;
}

/** What the first revision brings; every part may be left out. */
export interface PreparationPlan {
  readonly signatureFields?: readonly SignatureFieldPlan[];
  readonly textFields?: readonly TextFieldPlan[];
  /** All pages of this PDF are appended. */
  readonly appendPages?: Pdf;
  /** Of what a screen reader says of the new fields, where it is not the document's (BCP 47); written into tagged files. */
  readonly language?: string;
  /** Fields that are there become read-only: what they show is what everybody signs. */
  readonly closeFields?: boolean;
  /** A form described twice, in its fields and in XFA, keeps its fields alone: what is signed is what every reader shows. */
  readonly dropXfa?: boolean;
}
