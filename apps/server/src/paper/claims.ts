import { deflateSync } from 'node:zlib';
import { COLOURS, colourProfile } from './colour-profile.ts';
import { type PdfObjects, refer, textString } from './pdf-objects.ts';

/** Whose work a paper is, and what made it. */
const MAKER = 'Lavra';

/** What colours mean on a paper that stands by itself, packed. */
const profile = deflateSync(colourProfile(), { level: 9 });

/** What a paper that stands by itself says of itself, as entries of its catalog (ISO 19005-2, level A). */
export function claimsOf(objects: PdfObjects, { lang, title }: { lang: string; title: string }, at: Date): string {
  const metadata = objects.addStream('/Type/Metadata/Subtype/XML', Buffer.from(metadataOf(title, at)));
  const colours = objects.addStream('/N 3/Filter/FlateDecode', profile);
  const intent = `<</Type/OutputIntent/S/GTS_PDFA1/Info(${COLOURS})/OutputConditionIdentifier(${COLOURS})/DestOutputProfile ${refer(colours)}>>`;
  return `/Lang${textString(lang)}/ViewerPreferences<</DisplayDocTitle true>>/Metadata ${refer(metadata)}/OutputIntents[${intent}]`;
}

/** The same for readers that know no metadata. */
export function infoOf(at: Date, title?: string): string {
  const named = title === undefined ? '' : `/Title${textString(title)}/Author(${MAKER})`;
  return `<</Producer(${MAKER})/Creator(${MAKER})/CreationDate(D:${at.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z)${named}>>`;
}

function metadataOf(title: string, at: Date): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>2</pdfaid:part>
<pdfaid:conformance>A</pdfaid:conformance>
<xmp:CreateDate>${at.toISOString().replace(/\..*/, 'Z')}</xmp:CreateDate>
<xmp:CreatorTool>${MAKER}</xmp:CreatorTool>
<pdf:Producer>${MAKER}</pdf:Producer>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xmlText(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${MAKER}</rdf:li></rdf:Seq></dc:creator>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}

/** A name may have any character; XML has none for what controls a teletype. */
function xmlText(text: string): string {
  const allowed = text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
