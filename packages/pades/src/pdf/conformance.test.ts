import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { inspectPdf } from './inspect.ts';

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
