import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspectPdf, memorySource, openPdf } from '@lavra/pades';
import { drawEvidenceReport } from './evidence-report.worker.ts';
import { drawSignaturePages, type SignaturePageInput } from './signature-page.worker.ts';

const id = '6d0f1bd5-4f3a-4d2e-9a53-0d8f2f0a7c11';
const hash = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const address = 'https://assinaturas.uma-empresa-de-nome-comprido.com.br/validateLogin';
const localesDir = fileURLToPath(new URL('../../../../locales', import.meta.url));

const page: SignaturePageInput = {
  processTitle: 'Locação',
  documentName: 'Contrato.pdf',
  documentId: id,
  sha256: hash,
  pageCount: 14,
  isLandscape: false,
  verificationUrl: `${address}?docId=${id}`,
  signers: Array.from({ length: 7 }, (_, index) => ({ name: `Pessoa ${index + 1}`, email: 'p@exemplo.com.br', cnpj: null })),
  letterhead: null,
  modality: 'electronic',
  locale: 'pt-br',
  localesDir,
};
const at = new Date('2026-11-23T12:30:00Z');
const signer = {
  name: 'Bia Lima',
  invitedName: null,
  cpf: '52998224725',
  cpfConfirmed: null,
  cnpj: null,
  email: 'bia@exemplo.com.br',
  signedAt: at,
  isLinkConfirmed: false,
  ip: '203.0.113.20',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  place: { latitude: -23.55052, longitude: -46.63331, accuracy: 20.4 },
  consentText: 'Li os documentos e aceito.',
  consentHash: hash,
  certificateFingerprint: hash,
  certificateType: null,
  imageHash: null,
};

const drawReport = (change: { modality?: 'digital'; locale?: 'en'; people?: number; title?: string; consentText?: string } = {}) =>
  drawEvidenceReport({
    processId: id,
    title: change.title ?? 'Locação',
    modality: change.modality ?? 'electronic',
    verificationUrl: address,
    letterhead: null,
    createdAt: at,
    finishedAt: at,
    documents: [{ id, name: 'Contrato.pdf', pageCount: 14, originalHash: hash, openedFrom: null, pageHash: null, signedHash: hash }],
    signers: Array.from({ length: change.people ?? 1 }, (_, order) => ({
      ...signer,
      order,
      consentText: change.consentText ?? signer.consentText,
      certificateType: change.modality === 'digital' ? 'A3' : null,
    })),
    events: Array.from({ length: 30 }, () => ({ at, type: 'signer.opened', name: 'Bia Lima', invitedName: null, hash })),
    isChainIntact: true,
    locale: change.locale ?? 'pt-br',
    localesDir,
    storage: { dataDir: '/nonexistent', s3: null },
  });

/** Text by page, as poppler lays it out. */
const pagesOf = (pdf: Uint8Array) =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).split('\f').slice(0, -1);

describe('what we print', () => {
  let appended: Uint8Array;
  let apart: Uint8Array;
  let report: Uint8Array;
  before(async () => {
    appended = (await drawSignaturePages(page)).pdf;
    apart = (await drawSignaturePages({ ...page, signedSha256: hash })).pdf;
    report = await drawReport({ people: 3 });
  });

  it('says on each page which one of how many it is, its identifier and where it is verified', () => {
    for (const [pdf, before, subject, url] of [
      [appended, 14, `Documento ${id}`, page.verificationUrl],
      [apart, 0, `Documento ${id}`, page.verificationUrl],
      [report, 0, `Processo ${id}`, address],
    ] as const) {
      const pages = pagesOf(pdf);
      assert.ok(pages.length > 1);
      for (const [index, text] of pages.entries()) {
        const foot = text.trimEnd().split('\n').slice(-2).join('\n');
        assert.match(foot, new RegExp(String.raw`^${subject} +Página ${before + index + 1} de ${before + pages.length}\n`));
        assert.ok(foot.endsWith(`Confira em ${url}`), foot);
      }
    }
  });

  it('has an identifier of its own in each file, by what it says and not by its title and its second alone', async () => {
    const idOf = (pdf: Uint8Array) => /\/ID\[<([0-9a-f]{32})><\1>\]/.exec(Buffer.from(pdf).toString('latin1'))?.[1];
    const ids = [report, await drawReport({ people: 2 }), await drawReport({ people: 3, consentText: 'Aceito.' })].map(idOf);
    assert.equal(new Set([...ids, undefined]).size, 4);
  });

  it('says below the code what it is for, and breaks no address and no hash', () => {
    const [first = ''] = pagesOf(appended);
    assert.match(first, /Aponte a câmera para conferir/);
    assert.match(first, new RegExp(`^\\s*${address.replaceAll('.', '\\.')}\\?docId=${id}$`, 'm'));
    assert.match(first, new RegExp(`SHA-256 do arquivo enviado +${hash}`));
  });

  it('tears no fact in two and leaves no hash alone on the next page', async () => {
    for (const people of [1, 2, 3, 4]) {
      for (const text of pagesOf(await drawReport({ people }))) {
        const facts = text.split('\n').filter((line) => line.trim() !== '');
        assert.doesNotMatch(facts[0] ?? '', /Impressão digital|SHA-256|[0-9a-f]{64}/, `${people} people`);
      }
    }
  });

  it('stands by itself as PDF/A-2a: read aloud in its order and language, with a title', async () => {
    for (const [pdf, title] of [
      [apart, 'Página de assinaturas: Contrato.pdf'],
      [report, 'Relatório de evidências: Locação'],
    ] as const) {
      const { conformance, tagged } = await inspectPdf(await openPdf(memorySource(pdf)));
      assert.deepEqual([conformance.pdfA, tagged], [{ part: 2, level: 'A' }, true]);
      const told = execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8' });
      assert.match(told, new RegExp(`Title: +${title}`));
      const structure = execFileSync('pdfinfo', ['-struct-text', '-'], { input: pdf, encoding: 'utf8' });
      assert.match(structure, /^Document/m);
      assert.match(structure, /^ {2}H1/m);
    }
    // A page that joins somebody's file makes no claims of its own.
    assert.equal((await inspectPdf(await openPdf(memorySource(appended)))).conformance.pdfA, null);
  });

  it('says its title as it is, whatever letters it has', async () => {
    const report = await drawReport({ title: 'Tom & Jerry <Ltda>\u0007' });
    const metadata = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(Buffer.from(report).toString())?.[0] ?? '';
    assert.match(metadata, /">Relatório de evidências: Tom &amp; Jerry &lt;Ltda&gt;[^&<]*<\/rdf:li>/);
    // oxlint-disable-next-line no-control-regex -- XML has no such letter
    assert.doesNotMatch(metadata, /\u0007/);
    const { conformance } = await inspectPdf(await openPdf(memorySource(report)));
    assert.deepEqual(conformance.pdfA, { part: 2, level: 'A' });
  });

  it('goes on above the foot of the next page where a fact has no room on one, and is one part of the structure', async () => {
    const report = await drawReport({ consentText: 'palavra '.repeat(800) });
    const boxes = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: report, encoding: 'utf8' });
    const words = [...boxes.matchAll(/yMax="([\d.]+)">[“]?palavra[”]?</g)].map(([, bottom]) => Number(bottom));
    assert.equal(words.length, 800);
    assert.ok(Math.max(...words) < 841.89 - 50, 'above the line of the foot');
    const structure = execFileSync('pdfinfo', ['-struct-text', '-'], { input: report, encoding: 'utf8' });
    const part = structure.split(/^ *(?:P|H\d|Figure) \(/m).find((text) => text.includes('palavra')) ?? '';
    assert.equal(part.match(/palavra/g)?.length, 800);
  });

  it('names the kind of every signature, and a place in words', async () => {
    const text = pagesOf(report).join('\n');
    assert.match(text, /Assinatura +Avançada, com certificado de uso único/);
    assert.match(text, /Localização +23,55052° sul, 46,63331° oeste, com precisão de 20 m/);
    assert.match(text, /Chrome, Windows/);
    const digital = pagesOf(await drawReport({ modality: 'digital' })).join('\n');
    assert.match(digital, /Assinatura +Qualificada, com o certificado ICP-Brasil A3/);
    assert.match(pagesOf(await drawReport({ locale: 'en' })).join('\n'), /Location +23\.55052° south, 46\.63331° west, accurate to 20 m/);
  });

  it('turns with a document whose pages are wider than high, and its blocks stay on it', async () => {
    const { pdf, blocks } = await drawSignaturePages({ ...page, isLandscape: true });
    const { pages } = await inspectPdf(await openPdf(memorySource(pdf)));
    for (const { visibleBox } of pages) assert.deepEqual(visibleBox.map(Math.round), [0, 0, 842, 595]);
    assert.equal(blocks.length, page.signers.length);
    for (const { appendedPage, rect } of blocks) {
      assert.ok(appendedPage <= pages.length);
      assert.ok(rect.x >= 48 && rect.x + rect.width <= 842 - 48 && rect.y >= 60 && rect.y + rect.height <= 595);
    }
  });
});
