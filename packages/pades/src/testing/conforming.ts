import { latin1Text } from '../pdf/objects.ts';
import { makePdf } from './make-pdf.ts';
import type { XrefForm } from './make-pdf.ts';

/** What a file made here claims, and how it is made. */
export interface ConformingParts {
  readonly pdfA?: { readonly part: 1 | 2 | 3 | 4; readonly level: 'A' | 'B' | 'U' | 'F' | null };
  readonly pdfUa?: 1 | 2;
  /** An output intent with that many components; its profile is zeros unless `bytes` are given. */
  readonly intent?: { readonly components: 1 | 3 | 4; readonly bytes?: Uint8Array };
  readonly form?: XrefForm;
  /** Kids of the root instead of one element for the document. */
  readonly flat?: boolean;
  /** Without numbers: the parent tree has kids. */
  readonly treeOfKids?: boolean;
}

const calGray = '/ColorSpace<</G[/CalGray<</WhitePoint[0.9505 1 1.089]/Gamma 2.2>>]>>';

/**
 * A page with a black bar, conforming to what it claims when the profile is a real one. Tagged where level A or PDF/UA asks for it:
 * object 1 catalog, 2 page tree, 3 page, 4 content, 5 metadata, 6 structure root, 7 document, 8 figure, 9 parent tree, 10 profile, 11 and 12 an attachment.
 */
export function conformingPdf(parts: ConformingParts): Uint8Array {
  const { pdfA, pdfUa, intent, form } = parts;
  const tagged = pdfA?.level === 'A' || pdfUa !== undefined;
  const space = intent === undefined && pdfA !== undefined ? calGray : '';
  const ink = space === '' ? '0 g' : '/G cs 0 sc';
  const bar = `${ink} 60 760 300 14 re f`;
  const content = tagged ? `/Figure<</MCID 0>>BDC ${bar} EMC` : bar;
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/Lang(pt-BR)/ViewerPreferences<</DisplayDocTitle true>>${catalogOf(parts, tagged)}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<${space}>>/Contents 4 0 R${tagged ? '/StructParents 0/Tabs/S' : ''}>>`,
    streamOf('', content),
    streamOf('/Type/Metadata/Subtype/XML', metadata(parts)),
    ...(tagged ? structure(parts) : ['null', 'null', 'null', 'null']),
    intent === undefined ? 'null' : streamOf(`/N ${intent.components}`, latin1Text(intent.bytes ?? new Uint8Array(8))),
    ...(pdfA?.level === 'F' ? attachment : ['null', 'null']),
    '<</Type/Namespace/NS(http://iso.org/pdf2/ssn)>>',
    '<</Limits[0 0]/Nums[0[8 0 R]]>>',
  ];
  const version = pdfA?.part === 4 || pdfUa === 2 ? '2.0' : pdfA?.part === 1 ? '1.4' : '1.7';
  const id = '0123456789abcdef0123456789abcdef';
  return makePdf(objects, { version, trailer: `/ID[<${id}><${id}>]`, ...(form ? { form } : {}) });
}

function catalogOf({ pdfA, intent }: ConformingParts, tagged: boolean): string {
  const profile = '/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(perfil)/DestOutputProfile 10 0 R>>]';
  return [
    tagged ? '/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R' : '',
    intent === undefined ? '' : profile,
    pdfA?.level === 'F' ? '/AF[11 0 R]/Names<</EmbeddedFiles<</Names[(dados.txt)11 0 R]>>>>' : '',
  ].join('');
}

function structure({ flat, treeOfKids, pdfUa }: ConformingParts): string[] {
  const box = '/A<</O/Layout/BBox[60 760 360 774]>>';
  const named = pdfUa === 2 ? '/Namespaces[13 0 R]' : '';
  const space = pdfUa === 2 ? '/NS 13 0 R' : '';
  return [
    `<</Type/StructTreeRoot/K[${flat === true ? '7 0 R 8 0 R' : '7 0 R'}]/ParentTree 9 0 R/ParentTreeNextKey 1${named}>>`,
    `<</Type/StructElem/S/${flat === true ? 'Div' : 'Document'}/P 6 0 R${space}${flat === true ? '' : '/K[8 0 R]'}>>`,
    `<</Type/StructElem/S/Figure/P ${flat === true ? 6 : 7} 0 R/Pg 3 0 R/K 0/Alt(Uma barra)${box}${space}>>`,
    treeOfKids === true ? `<</Kids[14 0 R]>>` : `<</Nums[0[8 0 R]]>>`,
  ];
}

const attachment = [
  '<</Type/Filespec/F(dados.txt)/UF(dados.txt)/AFRelationship/Data/Desc(Dados)/EF<</F 12 0 R>>>>',
  streamOf('/Type/EmbeddedFile/Subtype/text#2Fplain/Params<</ModDate(D:20260102030405Z)/Size 3>>', 'oi\n'),
];

function streamOf(entries: string, data: string): string {
  return `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`;
}

function metadata({ pdfA, pdfUa }: ConformingParts): string {
  const level = pdfA?.level == null ? '' : `<pdfaid:conformance>${pdfA.level}</pdfaid:conformance>`;
  const revision = pdfA?.part === 4 ? '<pdfaid:rev>2020</pdfaid:rev>' : '';
  const claims = [
    pdfA
      ? `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>${pdfA.part}</pdfaid:part>${level}${revision}</rdf:Description>`
      : '',
    pdfUa
      ? `<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>${pdfUa}</pdfuaid:part>${pdfUa === 2 ? '<pdfuaid:rev>2024</pdfuaid:rev>' : ''}</rdf:Description>`
      : '',
    pdfA && pdfA.part < 4 && pdfUa ? extensionSchema : '',
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Contrato</rdf:li></rdf:Alt></dc:title></rdf:Description>',
  ];
  const packet = '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>';
  return `${packet}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${claims.join('')}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}

/** PDF/A wants to be told what PDF/UA's own property means. */
const extensionSchema =
  '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:schema>PDF/UA</pdfaSchema:schema><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part</pdfaProperty:description><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>';
