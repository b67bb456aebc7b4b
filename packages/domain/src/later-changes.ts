import { markInvisible } from './one-line.ts';

/** Something that happened to a file after a signature, as the engine reports it. */
export interface LaterChange {
  readonly kind: string;
  /** Fully qualified name of a form field. */
  readonly field: string | null;
  /** Where it is seen, one-based. */
  readonly pages: readonly number[];
}

/** The same for people: who signed is one line, however many fields it took. */
export interface ToldChange {
  /** `signed`, or the engine's kind. */
  kind: string;
  /** Who signed, of `signed`. */
  by: string | null;
  /** The first of the fields it happened to, where there are any to name. */
  fields: string[];
  /** How many there are. */
  fieldCount: number;
  pages: number[];
  permitted: boolean;
}

/** A signature that is in the file: the fields that show it, and whose it is. */
export interface NamedSignature {
  readonly fields: readonly string[];
  readonly name: string;
}

const MOST_FIELDS = 20;
const LONGEST_NAME = 80;

/** A name that a stranger's file brings, as it may stand in a sentence. */
function shownName(name: string): string {
  const seen = markInvisible(name);
  return seen.length > LONGEST_NAME ? `${seen.slice(0, LONGEST_NAME)}…` : seen;
}

/** What speaks of certificates, times, trust and of what came later; every other reason leaves open what was signed. */
const notOfTheBytes =
  /^(CHAIN|CERTIFICATE|SIGNED|AUTHORITY|REVOCATION|TIMESTAMP|POLICY|BOX)_|^(KEY_USAGE|CHANGED_AFTER_SIGNATURE|LATER_CHANGES_UNREADABLE)$/;

/** The signature holds over its bytes, whatever else is against it: they are what was signed. */
export function isAsSigned(indication: string | null, reasons: readonly string[]): boolean {
  return indication !== null && reasons.every((reason) => notOfTheBytes.test(reason));
}
/** A signer's boxes of ours, filled in the revision of their signature: `…_s2_evidencia`, `…_s2_caixa1`. */
const boxOfSigner = /^(lavra_[0-9a-f]{8}_s\d+)_(?:evidencia|caixa\d+)$/;

/** What happened after a signature, equal things together: first what it does not allow, then who signed, then the rest. */
export function toldChanges(
  changes: readonly LaterChange[],
  forbidden: readonly LaterChange[],
  signatures: readonly NamedSignature[],
): ToldChange[] {
  const nameOf = new Map(signatures.flatMap(({ fields, name }) => fields.map((field) => [field, name] as const)));
  const refused = new Set(forbidden);
  const told = new Map<string, Omit<ToldChange, 'fields' | 'fieldCount' | 'pages'> & { fields: Set<string>; pages: Set<number> }>();
  for (const change of changes) {
    const permitted = !refused.has(change);
    const by = permitted ? signerOf(change, nameOf) : null;
    const kind = by === null ? change.kind : 'signed';
    const key = JSON.stringify([permitted, kind, by]);
    const one = told.get(key) ?? { kind, by, permitted, fields: new Set(), pages: new Set() };
    told.set(key, one);
    // The name of a timestamp's field tells nobody anything.
    if (by === null && change.kind !== 'document-timestamp' && change.field !== null && change.field !== '') one.fields.add(change.field);
    for (const page of change.pages) one.pages.add(page);
  }
  const rank = ({ permitted, kind }: { permitted: boolean; kind: string }) => (permitted ? (kind === 'signed' ? 1 : 2) : 0);
  return [...told.values()]
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ fields, pages, by, ...one }) => ({
      ...one,
      by: by === null ? null : shownName(by),
      fields: [...fields].slice(0, MOST_FIELDS).map(shownName),
      fieldCount: fields.size,
      pages: [...pages].toSorted((a, b) => a - b),
    }));
}

function signerOf({ kind, field }: LaterChange, nameOf: ReadonlyMap<string, string>): string | null {
  if (field === null) return null;
  if (kind === 'field-signed' || kind === 'signature-field-added') return nameOf.get(field) ?? null;
  const own = kind === 'field-filled' ? boxOfSigner.exec(field)?.[1] : undefined;
  return own === undefined ? null : (nameOf.get(own) ?? null);
}

/** What changed, page by page; last, what is seen on none. */
export function changesByPage(changes: readonly ToldChange[]): { page: number | null; changes: ToldChange[] }[] {
  const pages = [...new Set(changes.flatMap((change) => change.pages))].toSorted((a, b) => a - b);
  const nowhere = changes.filter((change) => change.pages.length === 0);
  return [
    ...pages.map((page) => ({ page, changes: changes.filter((change) => change.pages.includes(page)) })),
    ...(nowhere.length > 0 ? [{ page: null, changes: nowhere }] : []),
  ];
}
