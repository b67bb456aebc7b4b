import { benign } from './benign.ts';
import { duplicateKeys, eaa, ssa } from './certifications.ts';
import { cms } from './cms-forgeries.ts';
import { xref } from './cross-references.ts';
import { form, resources, structure } from './documents.ts';
import { swa, usf } from './forgeries.ts';
import { sections } from './hidden-sections.ts';
import { order } from './boxes.ts';
import { looksOfFields, readAloud } from './looks.ts';
import { awaitedFonts, newFields, oddlyCoded, rebuiltByReaders, spelledReferences } from './other-readers.ts';
import { shared } from './shared-objects.ts';
import { isa, trailing } from './savings.ts';
import { hide, hideAndReplace, replace } from './shadows.ts';
import type { Variant } from './variant.ts';

/** Every attack the project knows, made from files it signed itself. */
export const attacks: readonly Variant[] = [
  ...usf,
  ...isa,
  ...swa,
  ...hide,
  ...replace,
  ...hideAndReplace,
  ...eaa,
  ...ssa,
  ...duplicateKeys,
  ...xref,
  ...cms,
  ...trailing,
  ...resources,
  ...form,
  ...structure,
  ...sections,
  ...order,
  ...shared,
  ...looksOfFields,
  ...readAloud,
  ...rebuiltByReaders,
  ...oddlyCoded,
  ...spelledReferences,
  ...awaitedFonts,
  ...newFields,
];

/** What must never be taken for one. */
export const harmless: readonly Variant[] = benign;
