/**
 * The same work by other libraries, for comparison: an RSA-2048 signature in a visible field on page 1, appended. Both
 * read the whole file; @libpdf/core signs by itself (`pdf.sign`, which draws nothing), @cantoo/pdf-lib writes the
 * objects and gets its CMS from this project's engine.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Signer } from '@lavra/pades';
import { buildSignedAttributes } from '../packages/pades/src/cms/signed-attributes.ts';
import { buildSignedData } from '../packages/pades/src/cms/signed-data.ts';

export async function signWithLibpdf(input: string, output: string, signer: Signer): Promise<void> {
  const { PDF } = await import('@libpdf/core');
  const pdf = await PDF.load(new Uint8Array(await readFile(input)));
  const { bytes } = await pdf.sign({
    signer: {
      certificate: signer.certificate,
      keyType: 'RSA',
      signatureAlgorithm: 'RSASSA-PKCS1-v1_5',
      sign: (data) => signer.sign(data, 'sha256'),
    },
    fieldName: 'Signature1',
    subFilter: 'ETSI.CAdES.detached',
  });
  await writeFile(output, bytes);
}

const room = 16 << 10;

export async function signWithCantoo(input: string, output: string, signer: Signer): Promise<void> {
  const { PDFDocument, PDFHexString, PDFName, PDFString } = await import('@cantoo/pdf-lib');
  const pdf = await PDFDocument.load(await readFile(input), { forIncrementalUpdate: true, updateMetadata: false });
  const { context } = pdf;
  const page = pdf.getPage(0);
  const value = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: [0, 1_111_111_111, 2_222_222_222, 3_333_333_333],
      Contents: PDFHexString.of('0'.repeat(room * 2)),
      M: PDFString.fromDate(new Date()),
    }),
  );
  const entries = { Type: 'Annot', Subtype: 'Widget', FT: 'Sig', Rect: [50, 50, 200, 125], F: 132, V: value, P: page.ref };
  const widget = context.register(context.obj({ ...entries, T: PDFString.of('Signature1') }));
  page.node.addAnnot(widget);
  const form = pdf.catalog.getOrCreateAcroForm();
  form.addField(widget);
  form.dict.set(PDFName.of('SigFlags'), context.obj(3));
  const bytes = await pdf.commit();
  await fill(bytes, signer);
  await writeFile(output, bytes);
}

/** Closes the byte range and fills the hole, both found in the last 64 KiB. */
async function fill(bytes: Uint8Array, signer: Signer): Promise<void> {
  const from = Math.max(0, bytes.length - (64 << 10));
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from);
  const range = tail.indexOf('/ByteRange');
  const open = tail.indexOf(`<${'0'.repeat(64)}`);
  if (range < 0 || open < 0) throw new Error('no placeholder');
  const start = from + open;
  const end = start + room * 2 + 2;
  const bracket = tail.indexOf('[', range);
  const length = tail.indexOf(']', bracket) + 1 - bracket;
  tail.write(`[0 ${start} ${end} ${bytes.length - end}]`.padEnd(length), bracket, 'latin1');
  const messageDigest = createHash('sha256').update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest();
  const { certificate } = signer;
  const signedAttributes = await buildSignedAttributes({ messageDigest, digest: 'sha256', certificate });
  const signatureValue = await signer.sign(signedAttributes, 'sha256');
  const der = buildSignedData({ signedAttributes, signatureValue, certificate, chain: [], digest: 'sha256' });
  tail.write(Buffer.from(der).toString('hex'), open + 1, 'latin1');
}
