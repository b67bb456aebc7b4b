import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { conformingPdf } from '../testing/conforming.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';

async function claimed(rdf: string): Promise<unknown> {
  const xmp = `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${rdf}</rdf:RDF></x:xmpmeta>`;
  const more = [`<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>\nstream\n${xmp}\nendstream`];
  return (await inspectPdf(await openPdf(memorySource(simplePdf({ catalog: '/Metadata 4 0 R', more }))))).conformance;
}

test('inspectPdf names the part and level of PDF/A and the part of PDF/UA, however the metadata spell them', async () => {
  const elements =
    '<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>';
  assert.deepEqual(await claimed(elements), { pdfA: { part: 2, level: 'B' }, pdfUa: null });
  const attributes =
    '<rdf:Description xmlns:a="http://www.aiim.org/pdfa/ns/id/" xmlns:u="http://www.aiim.org/pdfua/ns/id/" a:part="3" a:conformance="a" u:part="1"/>';
  assert.deepEqual(await claimed(attributes), { pdfA: { part: 3, level: 'A' }, pdfUa: 1 });
  const four = '<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="4" pdfaid:rev="2020"/>';
  assert.deepEqual(await claimed(four), { pdfA: { part: 4, level: null }, pdfUa: null });
});

test('a file that claims nothing conforms to nothing', async () => {
  assert.deepEqual(await claimed('<rdf:Description pdfaid:part="2"/>'), { pdfA: null, pdfUa: null });
  assert.deepEqual((await inspectPdf(await openPdf(memorySource(simplePdf())))).conformance, { pdfA: null, pdfUa: null });
});

test('metadata made to be read for ever are read at once', async () => {
  const start = process.cpuUsage();
  await claimed(`<x xmlns:p="http://www.aiim.org/pdfa/ns/id/">${'<p:part '.repeat(200_000)}</x>`);
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 5_000_000);
});

test('what signing adds keeps the parts and levels that are known, and says so before; others it does not promise', async () => {
  const keeps = async (bytes: Uint8Array) => (await inspectPdf(await openPdf(memorySource(bytes)))).keepsConformance;
  for (const parts of [
    { pdfA: { part: 1, level: 'A' } },
    { pdfA: { part: 2, level: 'U' } },
    { pdfA: { part: 4, level: null } },
    { pdfUa: 1 },
    {},
  ] as const)
    assert.equal(await keeps(conformingPdf(parts)), true);
  assert.equal(await keeps(conformingPdf({ pdfUa: 7 as 1 })), false);
  assert.equal(await keeps(conformingPdf({ pdfA: { part: 9 as 1, level: 'B' } })), false);
  assert.equal(await keeps(conformingPdf({ pdfA: { part: 1, level: 'U' } })), false);
  const untagged = new TextDecoder('latin1').decode(conformingPdf({ pdfUa: 1 })).replace('/StructTreeRoot 6 0 R', '/StructTreeRoot 4 0 R');
  assert.equal(await keeps(Uint8Array.from(untagged, (character) => character.charCodeAt(0))), false, 'tags are claimed and not there');
});
