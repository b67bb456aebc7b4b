import { revise, streamText } from '../attacks/write-revision.ts';

/** Object numbers of the small documents that the cases begin with. */
export const no = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  secondPage: 5,
  form: 6,
  sig1: 7,
  sig2: 8,
  text1: 9,
  text2: 10,
  group: 11,
  kids: 12,
  font: 13,
  metadata: 14,
  structure: 15,
  document: 16,
  title: 17,
  formElement: 18,
  parents: 19,
} as const;

export interface DocumentParts {
  /** Empty signature fields `Sig1` and `Sig2`, so many of them. */
  readonly fields?: 0 | 1 | 2;
  /** One text field `TextField1`, or two in a group `TextInput`, its Kids direct or an object of their own. */
  readonly text?: 'one' | 'group' | 'group-with-indirect-kids';
  readonly pages?: 1 | 2;
  readonly tagged?: boolean;
  readonly metadata?: boolean;
  readonly form?: 'table' | 'stream';
  /** Instead of, or beside, what the parts make. */
  readonly objects?: Readonly<Record<number, string>>;
  readonly catalog?: string;
}

export const xmp = (title: string): string =>
  streamText(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Keywords>${title}</pdf:Keywords></rdf:Description></rdf:RDF></x:xmpmeta>`,
    '/Type/Metadata/Subtype/XML',
  );

export const look = (content: string, entries = ''): string =>
  streamText(content, `/Type/XObject/Subtype/Form/BBox[0 0 130 60]/Resources<</Font<</Ti 13 0 R>>>>${entries}`);

const widget = (entries: string, rect: string): string => `<</Type/Annot/Subtype/Widget${entries}/F 4/P 3 0 R/Rect${rect}>>`;

/** The fields' objects, those that stand on the page, and those at the top of the form. */
function fieldObjects({ fields = 0, text, tagged = false }: DocumentParts): {
  objects: Record<number, string>;
  boxes: number[];
  top: number[];
} {
  const objects: Record<number, string> = {};
  if (fields > 0) objects[no.sig1] = widget(`/FT/Sig/T(Sig1)${tagged ? '/StructParent 1' : ''}`, '[10 10 140 70]');
  if (fields > 1) objects[no.sig2] = widget('/FT/Sig/T(Sig2)', '[150 10 290 70]');
  const signatures = Object.keys(objects).map(Number);
  const drawn = '/DA(0 0 1 rg /Ti 12 Tf)';
  if (text === undefined) return { objects, boxes: signatures, top: signatures };
  if (text === 'one') {
    objects[no.text1] = widget(`/FT/Tx/T(TextField1)${drawn}`, '[10 74 140 134]');
    return { objects, boxes: [...signatures, no.text1], top: [...signatures, no.text1] };
  }
  const kids = '[9 0 R 10 0 R]';
  objects[no.text1] = widget('/T(TextField1)/Parent 11 0 R', '[10 74 140 134]');
  objects[no.text2] = widget('/T(TextField2)/Parent 11 0 R', '[160 74 290 134]');
  objects[no.group] = `<</FT/Tx/T(TextInput)${drawn}/Kids ${text === 'group' ? kids : '12 0 R'}>>`;
  if (text !== 'group') objects[no.kids] = kids;
  return { objects, boxes: [...signatures, no.text1, no.text2], top: [...signatures, no.group] };
}

const structure: Readonly<Record<number, string>> = {
  [no.structure]: '<</Type/StructTreeRoot/K 16 0 R/ParentTree 19 0 R/ParentTreeNextKey 2/RoleMap<</Title/P>>>>',
  [no.document]: '<</Type/StructElem/S/Document/P 15 0 R/K[17 0 R 18 0 R]/Lang(en-GB)>>',
  [no.title]: '<</Type/StructElem/S/Title/P 16 0 R/K 0/Pg 3 0 R/ActualText(Hello World)>>',
  [no.formElement]: '<</Type/StructElem/S/Form/P 16 0 R/K<</Type/OBJR/Pg 3 0 R/Obj 7 0 R>>/Pg 3 0 R>>',
  [no.parents]: '<</Nums[0[17 0 R]1 18 0 R]>>',
};

/** A document of a page or two that says hello, before anybody signed. */
export function document(parts: DocumentParts = {}): Uint8Array {
  const { pages = 1, tagged = false, metadata = false, form, objects: more = {}, catalog = '' } = parts;
  const { objects, boxes, top } = fieldObjects(parts);
  const list = (numbers: readonly number[]): string => `[${numbers.map((num) => `${num} 0 R`).join(' ')}]`;
  const page = (entries: string): string => `<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 13 0 R>>>>/Contents 4 0 R${entries}>>`;
  const form6 = top.length > 0 ? '/AcroForm 6 0 R' : '';
  const tags = tagged ? '/StructTreeRoot 15 0 R/MarkInfo<</Marked true>>' : '';
  const all: Record<number, string> = {
    [no.catalog]: `<</Type/Catalog/Pages 2 0 R${form6}${tags}${metadata ? '/Metadata 14 0 R' : ''}${catalog}>>`,
    [no.pages]: `<</Type/Pages/Kids[3 0 R${pages === 2 ? ' 5 0 R' : ''}]/Count ${pages}/MediaBox[0 0 300 144]>>`,
    [no.page]: page(`${boxes.length > 0 ? `/Annots${list(boxes)}` : ''}${tagged ? '/StructParents 0/Tabs/S' : ''}`),
    [no.content]: streamText(tagged ? '/Title<</MCID 0>>BDC BT /F1 18 Tf (Hello World) Tj ET EMC' : 'BT /F1 18 Tf (Hello World) Tj ET'),
    [no.font]: '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>',
    ...(pages === 2 ? { [no.secondPage]: page('') } : {}),
    ...(top.length > 0 ? { [no.form]: `<</Fields${list(top)}/SigFlags 3>>` } : {}),
    ...(tagged ? structure : {}),
    ...(metadata ? { [no.metadata]: xmp('um') } : {}),
    ...objects,
    ...more,
  };
  // The numbers up to 19 are spoken for, used or not.
  const size = Math.max(20, ...Object.keys(all).map((num) => Number(num) + 1));
  return revise(new Uint8Array(), { objects: all, prev: null, size, ...(form ? { form } : {}) });
}
